/** `meshlens bench cluster --script FILE [CONFIG…]`: writes the benchmark for PyTorch and says how to start it. */
import { problemDocument } from '../../documents/build';
import type { ClusterDocument } from '../../documents/bench';
import { SCHEMA } from '../../documents/types';
import { clusterPlan, clusterScript } from '../../engine/bench/torchScript/fill';
import { clusterLaunch } from '../../engine/bench/torchScript/launch';
import { completeSetup } from '../../engine/plan/complete';
import { emptySetup } from '../../engine/setup/setup';
import { loadInputs } from '../inputs';
import { type Options, UsageError } from '../usage';
import { writeOutput } from './output';

export function clusterCommand(files: readonly string[], options: Options): ClusterDocument {
  const { script } = options.text;
  if (script === undefined) throw new UsageError('usage', 'bench cluster needs --script FILE to write to.');
  const inputs = files.length === 0 ? null : loadInputs(files, options);
  const setup = completeSetup(inputs?.setup ?? emptySetup());
  const plan = clusterPlan(setup);
  const text = clusterScript(plan);
  writeOutput(script, text);
  return {
    schema: SCHEMA,
    command: 'bench',
    kind: 'cluster',
    script,
    axes: plan.axes,
    products: plan.products,
    attention: plan.attention,
    step: plan.step,
    launch: clusterLaunch(setup, script),
    problems: (inputs?.problems ?? []).map(problemDocument),
  };
}

export function clusterText({ script, axes, products, launch }: ClusterDocument): string {
  const mesh = axes.filter(({ size }) => size > 1).map(({ name, size }) => `${name} ${size}`);
  return `${[
    `wrote     ${script}: collectives, products, copies, attention, overlap and one step, about four minutes`,
    `needs     PyTorch 1.13 or newer; NCCL on GPUs, gloo on CPUs`,
    `mesh      ${mesh.length > 0 ? mesh.join(' · ') : 'none given: name the training config to measure by its axes'}`,
    `products  ${products.length === 0 ? 'squares alone' : `${products.map(({ label, m, k, n }) => `${label} ${m}×${k}×${n}`).join(', ')}, and squares`}`,
    `start     ${launch.torchrun}`,
    `slurm     ${launch.slurm}`,
    'then      meshlens bench import meshlens-cluster.json, meshlens bench fit meshlens-cluster.json --gpu ID --out hardware.json',
  ].join('\n')}\n`;
}
