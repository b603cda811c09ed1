/** What a page's canvases are drawn from. */
import type { DashboardState } from '../src/protocol/dashboard';
import type { Formats } from './format';
import type { Inspection } from './local/engine';
import type { Theme } from './theme';

export interface Drawing {
  readonly state: DashboardState;
  readonly chosen: ReadonlyMap<string, string>;
  readonly formats: Formats;
  readonly theme: Theme;
  /** What is inside the plan that is shown; null as long as the page has no engine. */
  readonly inspect: () => Inspection | null;
}
