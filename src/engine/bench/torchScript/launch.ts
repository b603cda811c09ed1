/** The lines that start the cluster benchmark: PyTorch's launcher alone, or under Slurm. */
import type { TrainingSetup } from '../../setup/setup';

export interface LaunchLines {
  readonly torchrun: string;
  readonly slurm: string;
}

const DEFAULT_GPUS_PER_NODE = 8;

/**
 * What rank 0 prints is shown, as without these. But the word for "nothing is redirected" is none that PyTorch 1.13 knows
 * under Python 3.11, where it fails before it starts a process (meta-llama/llama, issue 86).
 */
export const LAUNCH_OPTIONS = ['--redirects', '0:1', '--tee', '0:1'];

/** How to start it on the cluster of a completed setup. */
export function clusterLaunch({ cluster }: TrainingSetup, script: string): LaunchLines {
  const { gpus, gpusPerNode, nodes } = cluster;
  const perNode = Math.min(gpusPerNode ?? DEFAULT_GPUS_PER_NODE, gpus ?? Infinity);
  return launchLines(script, nodes ?? Math.max(1, Math.ceil((gpus ?? perNode) / perNode)), perNode);
}

/** How to start it on so many nodes of so many GPUs. */
export function launchLines(script: string, nodes: number, gpusPerNode: number): LaunchLines {
  const file = /^[\w./-]+$/.test(script) ? script : `'${script.replaceAll("'", "'\\''")}'`;
  const processes = `${LAUNCH_OPTIONS.join(' ')} --nproc_per_node ${gpusPerNode}`;
  const many = `torchrun --nnodes ${nodes} ${processes} --rdzv_backend c10d`;
  const head = '$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)';
  const inner = `${many} --rdzv_id $SLURM_JOB_ID --rdzv_endpoint ${head}:29500 ${file.replaceAll("'", '"')}`;
  return {
    torchrun:
      nodes > 1 ? `${many} --rdzv_endpoint $HEAD_NODE:29500 ${file}` : `torchrun --standalone ${processes} ${file}`,
    slurm: `srun --nodes ${nodes} --ntasks-per-node 1 --gpus-per-node ${gpusPerNode} bash -c '${inner}'`,
  };
}
