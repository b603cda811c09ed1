/** Words of the question for the cluster. */
import type { Accelerator } from '../engine/hardware/accelerators';
import type { Machine } from '../engine/hardware/machines';
import { formatBytes, formatInteger } from './format';

export const CLUSTER_WORDS = {
  title: 'MeshLens: on what does this run?',
  nodesTitle: 'MeshLens: on how many nodes?',
  nodesPrompt: 'Leave it empty where the training config says how many GPUs it uses.',
  perNodeTitle: 'MeshLens: how many of them in one node?',
  perNodePrompt: (usual: number) => `Leave it empty for the usual ${usual}.`,
  countInvalid: 'A positive integer, or nothing.',
  here: 'Ask nvidia-smi on this machine',
  clipboard: 'Read the output of nvidia-smi from the clipboard',
  clipboardWhat: 'its table or list, with the matrix of `nvidia-smi topo -m` after it',
  machines: 'machines',
  accelerators: 'accelerators',
  noTool: 'MeshLens: nvidia-smi is not installed on this machine, or gave no answer.',
  notRead: 'this is not what nvidia-smi prints: copy its table, the list of `nvidia-smi -L` or its CSV.',
} as const;

export function machineDetail({ gpusPerNode, nicBytesPerSecond, domainSize }: Machine): string {
  const network =
    nicBytesPerSecond === null ? 'no network of its own' : `${formatInteger((nicBytesPerSecond * 8) / 1e9)} Gb/s a GPU`;
  const domain = domainSize > gpusPerNode ? `, ${domainSize} GPUs on one fast link` : '';
  return `${gpusPerNode} ${gpusPerNode === 1 ? 'GPU' : 'GPUs'} a node, ${network}${domain}`;
}

export function acceleratorDetail({ capacityBytes, gpusPerNode }: Accelerator): string {
  return `${formatBytes(capacityBytes)}, usually ${gpusPerNode} a node`;
}
