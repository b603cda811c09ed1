/** The page's own state: the newest snapshot, and what the user has opened. */
import type { DashboardState } from '../src/protocol/dashboard';

export interface Host {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** What survives when VS Code throws the page away and makes it anew; the snapshot comes again from the host. */
interface Kept {
  readonly open: readonly string[];
  readonly scroll: number;
  /** What is chosen in each list, by its id. */
  readonly chosen: Readonly<Record<string, string>>;
  /** The document of this dashboard, which the extension needs to restore the panel. */
  readonly uri: string | null;
}

export class PageState {
  /** Ids of disclosures, tables and boxes that the user has opened or ticked. */
  readonly open: Set<string>;
  readonly chosen: Map<string, string>;
  snapshot: DashboardState | null = null;
  /** Where the page was scrolled to before it was thrown away; used once. */
  restoredScroll: number;

  constructor(private readonly host: Host) {
    const kept = readKept(host.getState());
    this.open = new Set(kept.open);
    this.chosen = new Map(Object.entries(kept.chosen));
    this.restoredScroll = kept.scroll;
  }

  /** Takes a snapshot unless a newer one is shown already. */
  accept(next: DashboardState): boolean {
    if (this.snapshot !== null && next.version < this.snapshot.version) return false;
    this.snapshot = next;
    return true;
  }

  toggle(id: string, open = !this.open.has(id)): void {
    if (open) this.open.add(id);
    else this.open.delete(id);
  }

  save(scroll: number): void {
    const kept: Kept = {
      open: [...this.open],
      chosen: Object.fromEntries(this.chosen),
      scroll,
      uri: this.snapshot?.uri ?? null,
    };
    this.host.setState(kept);
  }
}

/** State of an older version of the page may have any shape. */
function readKept(value: unknown): Pick<Kept, 'open' | 'scroll' | 'chosen'> {
  const { open, scroll, chosen } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return {
    open: Array.isArray(open) ? open.filter(id => typeof id === 'string') : [],
    scroll: typeof scroll === 'number' ? scroll : 0,
    chosen: typeof chosen === 'object' && chosen !== null ? (chosen as Kept['chosen']) : {},
  };
}
