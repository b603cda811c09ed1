/**
 * Reads the matrix that `nvidia-smi topo -m` prints: which devices a machine has and how each pair is joined.
 * Columns are separated by tabs in the real output and by runs of blanks where it was copied from a terminal.
 */
import { type Problem, problem } from '../problem';

/** X self · PIX one PCIe bridge · PXB several · PHB host bridge · NODE between bridges of a NUMA node · SYS across sockets. */
export type PciePath = 'X' | 'PIX' | 'PXB' | 'PHB' | 'NODE' | 'SYS';

export interface Connection {
  readonly path: PciePath | 'NV';
  /** Bonded NVLinks; 0 where the path is PCIe. */
  readonly nvlinks: number;
}

export interface Topology {
  readonly gpus: number;
  readonly nics: number;
  /** Labels in the order of the matrix: GPU0 …, NIC0 …. */
  readonly devices: readonly string[];
  /** connections[i][j] from device i to device j. */
  readonly connections: readonly (readonly Connection[])[];
  /** NUMA node of each GPU; null where the output does not say. */
  readonly numa: readonly (number | null)[];
  /** For each GPU the NICs that are as near as any other, and not farther than one host's PCIe switches (PIX or PXB). */
  readonly nearNics: readonly (readonly number[])[];
}

const DISTANCE: Record<string, number> = { X: 0, PIX: 1, PXB: 2, PHB: 3, NODE: 4, SYS: 5 };

/** One direction of one NVLink lane bundle of generations 3 and 4 (A100, H100): 25e9 bytes/s, NVIDIA H100 datasheet (18 links, 900 GB/s both ways). */
export const NVLINK_BYTES_PER_SECOND = 25e9;

function connection(cell: string): Connection | null {
  const nvlink = /^NV(\d+)$/.exec(cell);
  if (nvlink) return { path: 'NV', nvlinks: Number(nvlink[1]) };
  return Object.hasOwn(DISTANCE, cell) ? { path: cell as PciePath, nvlinks: 0 } : null;
}

// Terminals underline the header by escape sequences, which copies keep.
const withoutEscapes = (line: string) => line.replace(/\u001b\[\d*m/g, '');

const cells = (line: string) =>
  (line.includes('\t') ? line.split('\t') : line.trim().split(/\s{1,}/)).map(c => c.trim());

/** Parses the text; a matrix that is missing, ragged or holds an unknown word is problem `syntax` with the line. */
export function parseTopology(text: string): Topology | Problem {
  const lines = text.split(/\r?\n/).map(withoutEscapes);
  const headerLine = lines.findIndex(line => /^\s*GPU0\b/.test(line) && !/^\s*GPU0\s+X\b/.test(line));
  if (headerLine < 0) return problem('syntax', { reason: 'topology-header-missing', line: 1 });
  const header = cells(lines[headerLine]).filter(c => c !== '');
  const devices = header.filter(c => /^(GPU|NIC|mlx)/.test(c) && !c.startsWith('GPU NUMA'));
  while (devices.length > 0 && !/\d$/.test(devices[devices.length - 1])) devices.pop();

  const connections: Connection[][] = [];
  const numa: (number | null)[] = [];
  const numaColumn = numaOffset(lines[headerLine]);
  const rows = rowsByLabel(lines, headerLine + 1);
  for (const device of devices) {
    const at = rows.get(device) ?? -1;
    const row = at < 0 ? [] : cells(lines[at]);
    const found = row.slice(1, 1 + devices.length).map(connection);
    if (found.length !== devices.length || found.includes(null))
      return problem('syntax', { reason: 'topology-row-invalid', device, line: at + 1 });
    connections.push(found as Connection[]);
    const node = row[1 + devices.length + numaColumn];
    if (device.startsWith('GPU')) numa.push(node !== undefined && /^\d+$/.test(node) ? Number(node) : null);
  }
  const gpus = devices.filter(d => d.startsWith('GPU')).length;
  const nics = devices.length - gpus;
  return {
    gpus,
    nics,
    devices,
    connections,
    numa,
    nearNics: connections.slice(0, gpus).map(row => nearest(row, gpus)),
  };
}

/** The first line from `start` on that begins with a word, by that word. */
function rowsByLabel(lines: readonly string[], start: number): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (let at = lines.length - 1; at >= start; at--) rows.set(/^\s*(\S*)/.exec(lines[at])?.[1] ?? '', at);
  return rows;
}

/** Column of the NUMA affinity after the devices; older drivers print the CPU affinity alone. */
const numaOffset = (header: string) => (header.includes('CPU Affinity') ? 1 : 0);

function nearest(row: readonly Connection[], gpus: number): number[] {
  const distances = row.slice(gpus).map(c => DISTANCE[c.path]);
  const least = Math.min(...distances);
  if (least > DISTANCE.PXB) return [];
  return distances.flatMap((d, nic) => (d === least ? [nic] : []));
}

/** NVLink bytes/s that GPU a can send to GPU b, one direction; 0 without NVLink. */
export function nvlinkBytesPerSecond(topology: Topology, a: number, b: number): number {
  return (topology.connections[a]?.[b]?.nvlinks ?? 0) * NVLINK_BYTES_PER_SECOND;
}

/** Groups of GPUs that NVLink joins, each in rising order: one group where a switch joins all, pairs on bridged machines. */
export function nvlinkDomains(topology: Topology): number[][] {
  const seen = new Set<number>();
  const domains: number[][] = [];
  for (let start = 0; start < topology.gpus; start++) {
    if (seen.has(start)) continue;
    const domain = [start];
    seen.add(start);
    for (const gpu of domain)
      for (let other = 0; other < topology.gpus; other++)
        if (!seen.has(other) && nvlinkBytesPerSecond(topology, gpu, other) > 0) {
          seen.add(other);
          domain.push(other);
        }
    domains.push(domain.sort((a, b) => a - b));
  }
  return domains;
}
