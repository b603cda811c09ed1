/** Messages between the extension and the page that replays the lecture: snapshots one way, wishes the other. */
import * as v from 'valibot';
import type { LectureScene } from '../documents/lectureScenes';

const DEMOS = ['collectives', 'data-parallel', 'tensor-parallel', 'pipeline-parallel'] as const;
export const LECTURE_PAGES = DEMOS;
export type LecturePageName = (typeof DEMOS)[number];

/** A demonstration that the page asked for: it runs, has run, or broke off. */
export type LectureState =
  | { readonly demo: LecturePageName; readonly phase: 'running' }
  | { readonly demo: LecturePageName; readonly phase: 'done'; readonly scenes: readonly LectureScene[] }
  | { readonly demo: LecturePageName; readonly phase: 'failed'; readonly message: string };

export interface ToLecture {
  readonly type: 'lecture';
  readonly state: LectureState;
}

export const FromLecture = v.variant('type', [
  /** The page shows this demonstration and wants its scenes. */
  v.object({ type: v.literal('wanted'), demo: v.picklist(DEMOS) }),
  /** What the page shows, for tests. */
  v.object({ type: v.literal('report'), scene: v.pipe(v.string(), v.maxLength(100)) }),
]);
export type FromLecture = v.InferOutput<typeof FromLecture>;
