/** What the page shows: the snapshot as it came, or with the estimate of the change that is tried out. */
import type { EstimateDocument } from '../../src/documents/types';
import type { DashboardState } from '../../src/protocol/dashboard';
import type { Inspection } from '../local/engine';
import type { LocalEngine } from '../local/load';
import { changeOf, isNothing, withValue, WHAT_IF } from './change';
import { SLIDERS, type SliderKey, sliderValues } from './values';

export interface Shown {
  readonly state: DashboardState;
  /** The file's own estimate where `state` has another; else null. */
  readonly base: EstimateDocument | null;
}

let last: { readonly snapshot: DashboardState; readonly text: string; readonly shown: Shown } | null = null;

export function triedOut(
  snapshot: DashboardState,
  chosen: ReadonlyMap<string, string>,
  engine: LocalEngine | null,
): Shown {
  const change = changeOf(chosen);
  if (engine === null || snapshot.setup === undefined || isNothing(change)) return { state: snapshot, base: null };
  const text = chosen.get(WHAT_IF) ?? '';
  if (last === null || last.snapshot !== snapshot || last.text !== text) {
    const estimate = engine.estimateChange(snapshot.setup, change, snapshot.estimate);
    last = { snapshot, text, shown: { state: { ...snapshot, estimate }, base: snapshot.estimate } };
  }
  return last.shown;
}

/** The text of the change after a control has been moved. A slider's value is a place in its list. */
export function withControl(
  { state, base }: Shown,
  text: string,
  control: HTMLInputElement | HTMLSelectElement,
): string {
  const key = control.dataset['whatIf'] ?? '';
  const file = (base ?? state.estimate).setup;
  const { plan } = state.estimate.setup;
  if (key === 'sp') return withValue(text, 'sp', String((control as HTMLInputElement).checked), String(file.plan.sp));
  if (!isSlider(key)) {
    const list = key as Exclude<keyof typeof file.plan, SliderKey>;
    return withValue(text, list, control.value, String(file.plan[list]));
  }
  const value = sliderValues(key, state.estimate)[Number(control.value)];
  if (key !== 'dp') return withValue(text, key, String(value), String(file.plan[key]));
  const gpus = value * (plan.tp ?? 1) * (plan.cp ?? 1) * (plan.pp ?? 1);
  return withValue(text, 'gpus', String(gpus), String(file.cluster.gpus));
}

function isSlider(key: string): key is SliderKey {
  return (SLIDERS as readonly string[]).includes(key);
}

let inspected: { readonly snapshot: DashboardState; readonly text: string; readonly found: Inspection } | null = null;

/** What is inside the plan that is shown; null as long as the page has no engine. Made when a page asks for it. */
export function inspectionOf(
  snapshot: DashboardState,
  chosen: ReadonlyMap<string, string>,
  engine: LocalEngine | null,
): Inspection | null {
  if (engine === null || snapshot.setup === undefined) return null;
  const text = chosen.get(WHAT_IF) ?? '';
  if (inspected === null || inspected.snapshot !== snapshot || inspected.text !== text) {
    inspected = { snapshot, text, found: engine.inspect(snapshot.setup, changeOf(chosen)) };
  }
  return inspected.found;
}
