/** Words of the question for the cluster. */
import type { Accelerator } from '../engine/hardware/accelerators';
import type { Machine } from '../engine/hardware/machines';
import { SLOVAK } from './cluster.sk';
import { formatBytes, formatInteger } from './format';
import { plural, translated } from './language';

const ENGLISH = {
  title: 'MeshLens: on what does this run?',
  nodesTitle: 'MeshLens: on how many nodes?',
  nodesPrompt: 'Leave it empty where the training config says how many GPUs it uses.',
  perNodeTitle: 'MeshLens: how many of them in one node?',
  perNodePrompt: (usual: number): string => `Leave it empty for the usual ${usual}.`,
  countInvalid: 'A positive integer, or nothing.',
  here: 'Ask nvidia-smi on this machine',
  clipboard: 'Read the output of nvidia-smi from the clipboard',
  clipboardWhat: 'its table or list, with the matrix of `nvidia-smi topo -m` after it',
  machines: 'machines',
  accelerators: 'accelerators',
  noTool: 'MeshLens: nvidia-smi is not installed on this machine, or gave no answer.',
  notRead: 'this is not what nvidia-smi prints: copy its table, the list of `nvidia-smi -L` or its CSV.',
  noNetwork: 'no network of its own',
  perGpu: (gigabits: string): string => `${gigabits} Gb/s a GPU`,
  perNode: (gpus: number): string => `${gpus} ${plural(gpus, 'GPU', 'GPUs')} a node`,
  domain: (gpus: number): string => `${gpus} GPUs on one fast link`,
  usually: (bytes: string, gpus: number): string => `${bytes}, usually ${gpus} a node`,
};

export const CLUSTER_WORDS = translated(ENGLISH, SLOVAK);

export function machineDetail({ gpusPerNode, nicBytesPerSecond, domainSize }: Machine): string {
  const network =
    nicBytesPerSecond === null
      ? CLUSTER_WORDS.noNetwork
      : CLUSTER_WORDS.perGpu(formatInteger((nicBytesPerSecond * 8) / 1e9));
  const domain = domainSize > gpusPerNode ? [CLUSTER_WORDS.domain(domainSize)] : [];
  return [CLUSTER_WORDS.perNode(gpusPerNode), network, ...domain].join(', ');
}

export function acceleratorDetail({ capacityBytes, gpusPerNode }: Accelerator): string {
  return CLUSTER_WORDS.usually(formatBytes(capacityBytes), gpusPerNode);
}
