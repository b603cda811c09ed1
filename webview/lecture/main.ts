/** Entry of the page that replays the lecture: keys, buttons and the clock move through the scenes. */
import '../pageLanguage';
import {
  type FromLecture,
  LECTURE_PAGES,
  type LecturePageName,
  type LectureState,
  type ToLecture,
} from '../../src/protocol/lecture';
import { patch } from '../dom';
import type { Host } from '../state';
import { lecturePage } from './page';

declare function acquireVsCodeApi(): Host;

/** Milliseconds that a scene stays when the lecture plays. */
const PACE = 2500;

const host = acquireVsCodeApi();
const send = (message: FromLecture) => host.postMessage(message);
const states = new Map<LecturePageName, LectureState>();
const still = matchMedia('(prefers-reduced-motion: reduce)');
let { demo, scene } = kept(host.getState());
let timer: number | undefined;

/** State of an older version of the page may have any shape. */
function kept(value: unknown): { demo: LecturePageName; scene: number } {
  const { demo: name, scene: place } = (value ?? {}) as { demo?: unknown; scene?: unknown };
  const known = LECTURE_PAGES.find(page => page === name) ?? 'collectives';
  return { demo: known, scene: typeof place === 'number' && Number.isInteger(place) && place >= 0 ? place : 0 };
}

/** VS Code's own setting, or the system's. */
const stillness = () => still.matches || document.body.classList.contains('vscode-reduce-motion');

const count = () => {
  const state = states.get(demo);
  return state?.phase === 'done' ? state.scenes.length : 0;
};

function draw(): void {
  if (count() > 0) scene = Math.min(scene, count() - 1);
  const state = states.get(demo) ?? null;
  const shown = { demo, state, scene, playing: timer !== undefined, stillness: stillness() };
  patch(document.body, [lecturePage(shown)]);
  const place = document.getElementById('place');
  if (place instanceof HTMLInputElement) place.value = String(scene + 1);
  host.setState({ demo, scene });
  if (count() > 0) send({ type: 'report', scene: `${demo} ${scene + 1}/${count()}` });
}

function go(to: number): void {
  scene = Math.max(0, Math.min(to, count() - 1));
  if (scene === count() - 1) pause();
  draw();
}

function pause(): void {
  clearInterval(timer);
  timer = undefined;
}

function playOrPause(): void {
  const wasPlaying = timer !== undefined;
  pause();
  if (!wasPlaying && !stillness() && scene < count() - 1) timer = window.setInterval(() => go(scene + 1), PACE);
  draw();
}

function choose(name: LecturePageName): void {
  pause();
  demo = name;
  scene = 0;
  send({ type: 'wanted', demo });
  draw();
}

const KEYS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => go(scene - 1),
  ArrowRight: () => go(scene + 1),
  Home: () => go(0),
  End: () => go(count() - 1),
  p: playOrPause,
};

document.addEventListener('keydown', event => {
  const { target, key } = event;
  // Lists and sliders have these keys for themselves, boxes that scroll the arrows.
  const isTaken = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
  const scrolls = target instanceof HTMLElement && target.scrollWidth > target.clientWidth && target.tabIndex >= 0;
  if (isTaken || (scrolls && key !== 'p') || event.ctrlKey || event.altKey || event.metaKey || count() === 0) return;
  const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

const BUTTONS: Readonly<Record<string, () => void>> = {
  previous: () => go(scene - 1),
  next: () => go(scene + 1),
  play: playOrPause,
};

document.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLButtonElement && target.getAttribute('aria-disabled') !== 'true') BUTTONS[target.id]?.();
});

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === 'place') go(Number(target.value) - 1);
  if (!(target instanceof HTMLSelectElement)) return;
  const name = LECTURE_PAGES.find(page => page === target.value);
  if (name !== undefined) choose(name);
});

still.addEventListener('change', () => {
  if (stillness()) pause();
  draw();
});

// Only VS Code can post into this frame; a message of another kind is none of ours.
addEventListener('message', ({ data }: MessageEvent<ToLecture>) => {
  if (data?.type !== 'lecture') return;
  states.set(data.state.demo, data.state);
  if (data.state.demo === demo) draw();
});

draw();
send({ type: 'wanted', demo });
