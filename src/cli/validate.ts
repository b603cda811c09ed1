/** `meshlens validate`: the published runs, or those of a file, predicted beside what was measured. */
import { SCHEMA } from '../documents/types';
import { publishedRuns } from '../engine/validation/nearest';
import { readRuns } from '../engine/validation/runs';
import { type ScoredRun, scoreRun, type Summary, summarize } from '../engine/validation/score';

interface ValidatedRow {
  readonly id: string;
  readonly source: string;
  readonly group: string;
  readonly sweep: string | null;
  readonly tier: string;
  readonly status: 'scored' | 'skipped';
  /** Why it was skipped. */
  readonly reason: string | null;
  /** What the row does not state and was assumed. */
  readonly assumed: readonly string[];
  readonly predicted: {
    readonly stepSeconds: number | null;
    readonly peakBytes: number | null;
    readonly allocatedBytes: number | null;
    readonly reservedBytes: number | null;
    readonly fits: boolean | null;
  };
  readonly measured: {
    readonly stepSeconds: number | null;
    readonly peakBytes: number | null;
    /** What was read: by PyTorch or by the device's own tool. */
    readonly memoryKind: string;
    readonly oom: boolean | null;
  };
  readonly error: { readonly stepSeconds: number | null; readonly peakBytes: number | null };
}

export interface ValidateDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'validate';
  readonly rows: readonly ValidatedRow[];
  readonly summary: { readonly core: Summary; readonly all: Summary };
}

/** Predicts every run of a text in the form of runs.csv; those that ship with the product where there is none. */
export function validateDocument(csv: string | null): ValidateDocument {
  const scored = (csv === null ? publishedRuns() : readRuns(csv)).map(scoreRun);
  return {
    schema: SCHEMA,
    command: 'validate',
    rows: scored.map(rowDocument),
    summary: { core: summarize(scored.filter(({ run }) => run.tier === 'core')), all: summarize(scored) },
  };
}

function rowDocument({ run, prediction, reason, timeError, memoryError }: ScoredRun): ValidatedRow {
  const { id, source, group, sweep, tier, assumed, measured } = run;
  return {
    id,
    source,
    group,
    sweep: sweep === '' ? null : sweep,
    tier,
    status: prediction === null ? 'skipped' : 'scored',
    reason,
    assumed,
    predicted: {
      stepSeconds: prediction?.stepSeconds ?? null,
      peakBytes: prediction?.peakBytes ?? null,
      allocatedBytes: prediction?.allocatedBytes ?? null,
      reservedBytes: prediction?.reservedBytes ?? null,
      fits: prediction?.fits ?? null,
    },
    measured,
    error: { stepSeconds: timeError, peakBytes: memoryError },
  };
}
