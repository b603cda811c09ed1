/** Pointer, wheel and keys over one lane, told as what they mean. */

export interface LaneActions {
  /** Looks closer by a factor over 1; `x` stays where it is, by default what is selected or the middle. */
  zoom(factor: number, x?: number): void;
  /** Moves the content by pixels. */
  pan(pixels: number): void;
  fit(): void;
  hover(x: number, y: number): void;
  leave(): void;
  select(x: number, y: number): void;
  deselect(): void;
  /** Whether the key meant something. */
  go(key: string): boolean;
  focus(hasFocus: boolean): void;
}

const ZOOM_STEP = 1.5;
const PAN_STEP = 80;
/** A pointer that moves less than this clicks. */
const CLICK = 4;
const WHEEL_LINE = 16;

/** Listens until the signal says so. */
export function listen(element: HTMLElement, actions: LaneActions, signal: AbortSignal): void {
  element.addEventListener('wheel', event => wheel(event, element, actions), { signal, passive: false });
  element.addEventListener('keydown', event => keydown(event, actions), { signal });
  element.addEventListener('focus', () => actions.focus(element.matches(':focus-visible')), { signal });
  element.addEventListener('blur', () => actions.focus(false), { signal });
  pointers(element, actions, signal);
}

/** A plain wheel scrolls the page, which is larger than the timeline. */
function wheel(event: WheelEvent, element: HTMLElement, actions: LaneActions): void {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? WHEEL_LINE : 1;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    actions.zoom(Math.exp(-event.deltaY * unit * 0.01), placeIn(element, event).x);
    return;
  }
  const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
  if (sideways === 0 || (!event.shiftKey && Math.abs(event.deltaY) > Math.abs(sideways))) return;
  event.preventDefault();
  actions.pan(-sideways * unit);
}

function keydown(event: KeyboardEvent, actions: LaneActions): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (act(event, actions)) event.preventDefault();
}

function act({ key, shiftKey }: KeyboardEvent, actions: LaneActions): boolean {
  switch (key) {
    case '+':
    case '=':
      actions.zoom(ZOOM_STEP);
      return true;
    case '-':
    case '_':
      actions.zoom(1 / ZOOM_STEP);
      return true;
    case '0':
      actions.fit();
      return true;
    case 'Escape':
      actions.deselect();
      return true;
    case 'ArrowLeft':
    case 'ArrowRight':
      if (!shiftKey) return actions.go(key);
      actions.pan(key === 'ArrowLeft' ? PAN_STEP : -PAN_STEP);
      return true;
    default:
      return actions.go(key);
  }
}

/** One pointer drags or clicks, two pinch. */
function pointers(element: HTMLElement, actions: LaneActions, signal: AbortSignal): void {
  const down = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  element.addEventListener(
    'pointerdown',
    event => {
      if (event.button !== 0) return;
      if (down.size === 0) travelled = 0;
      down.set(event.pointerId, placeIn(element, event));
      element.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  element.addEventListener(
    'pointermove',
    event => {
      const now = placeIn(element, event);
      const before = down.get(event.pointerId);
      if (before === undefined) return actions.hover(now.x, now.y);
      down.set(event.pointerId, now);
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      if (other !== undefined) pinch(before, now, other, actions);
      else if (travelled > CLICK) actions.pan(now.x - before.x);
    },
    { signal },
  );
  const up = (event: PointerEvent) => {
    const wasDown = down.delete(event.pointerId);
    if (!wasDown || event.type !== 'pointerup' || travelled > CLICK) return;
    const { x, y } = placeIn(element, event);
    actions.select(x, y);
  };
  element.addEventListener('pointerup', up, { signal });
  element.addEventListener('pointercancel', up, { signal });
  element.addEventListener('pointerleave', () => actions.leave(), { signal });
}

/** The distance along time says how close to look, its middle where. */
function pinch(before: { x: number }, now: { x: number }, other: { x: number }, actions: LaneActions): void {
  const least = 20;
  const distance = (point: { x: number }) => Math.max(Math.abs(point.x - other.x), least);
  actions.pan((now.x - before.x) / 2);
  actions.zoom(distance(now) / distance(before), (now.x + other.x) / 2);
}

function placeIn(element: HTMLElement, { clientX, clientY }: MouseEvent) {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
