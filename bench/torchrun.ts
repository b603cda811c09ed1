/** The benchmark of a cluster under PyTorch's own launcher with gloo: what `npm test` tries shortly and `npm run soak` at length. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { importText } from '../src/engine/bench/import';
import { clusterPlan, clusterScript } from '../src/engine/bench/torchScript/fill';
import { LAUNCH_OPTIONS } from '../src/engine/bench/torchScript/launch';
import type { Imported } from '../src/engine/bench/records';
import { completeSetup } from '../src/engine/plan/complete';
import { withValues } from '../src/engine/setup/override';
import { emptySetup, type TrainingSetup } from '../src/engine/setup/setup';

/** Debian's, and whichever stands first. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

/** A Python that has PyTorch's distributed package; null where there is none. */
export function pythonWithTorch(): string | null {
  const works = (python: string) =>
    spawnSync(python, ['-c', 'import torch, torch.distributed.run; assert torch.distributed.is_available()']).status ===
    0;
  return PYTHONS.find(works) ?? null;
}

/** A small model on so many ranks, tensor parallel by two. */
export function smallSetup(ranks: number): TrainingSetup {
  const values = { layers: 2, hidden: 256, ffn: 512, heads: 8, kvHeads: 8, headDim: 32, vocab: 1000, tp: 2, pp: 1 };
  const rest = { dp: ranks / 2, microBatch: 4, globalBatch: 16, seqLen: 64, gatedMlp: true, tied: false };
  const pairs = Object.entries({ ...values, ...rest }).map(([key, value]) => [key, String(value)] as const);
  return completeSetup(withValues(emptySetup(), pairs));
}

/** Runs the script filled for that setup, `seconds` of measuring at most. @throws Error with what Python says */
export function torchRun(python: string, ranks: number, seconds: number, largest: number): Imported {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'meshlens-torchrun-'));
  try {
    const [script, out] = ['bench.py', 'out.json'].map(name => path.join(folder, name)) as [string, string];
    writeFileSync(script, clusterScript(clusterPlan(smallSetup(ranks))));
    const own = [...LAUNCH_OPTIONS, '--nproc_per_node', String(ranks), script];
    const launcher = ['-m', 'torch.distributed.run', '--standalone', ...own];
    const options = ['--seconds', String(seconds), '--largest', String(largest), '--out', out];
    const run = spawnSync(python, [...launcher, ...options], {
      encoding: 'utf8',
      env: { ...process.env, OMP_NUM_THREADS: '1' },
    });
    if (run.status !== 0) throw new Error(run.stderr.slice(-4000));
    return importText(out, readFileSync(out, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
