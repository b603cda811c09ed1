/**
 * Reads what `nvidia-smi` prints: its table, its list (`-L`), its CSV (`--query-gpu=name,memory.total --format=csv`),
 * alone or with the matrix of `nvidia-smi topo -m` after it.
 */
import { parseTopology } from '../mesh/topology';
import { type Problem, problem } from '../problem';
import { ACCELERATORS, type AcceleratorId } from './accelerators';

export interface DetectedNode {
  readonly gpu: AcceleratorId;
  readonly gpusPerNode: number;
  /** GPUs that NVLink joins; null where no matrix says. */
  readonly domainSize: number | null;
}

const MIB = 1024 * 1024;

/** Whole words of the name that the driver prints, the more particular first; several devices of one name differ in memory. */
const NAMES: readonly (readonly [words: readonly string[], ids: readonly AcceleratorId[]])[] = [
  [['GB300'], ['gb300']],
  [['GB200'], ['gb200']],
  [['GH200'], ['gh200']],
  [['B300'], ['b300']],
  [['B200'], ['b200']],
  [['H200'], ['h200-sxm']],
  [['H800'], ['h800-sxm']],
  [['H20'], ['h20']],
  [['H100', 'PCIe'], ['h100-pcie']],
  [['H100', 'NVL'], ['h100-nvl-94']],
  [['H100'], ['h100-sxm', 'h100-95']],
  [['A800'], ['a800-80']],
  [['A100', 'PCIE'], ['a100-pcie-80']],
  [['A100'], ['a100-40', 'a100-80']],
  [['V100'], ['v100-16', 'v100-32']],
  [['L40S'], ['l40s']],
  [['A10G'], ['a10g']],
  [['RTX A6000'], ['rtx-a6000']],
  [['RTX 5090'], ['rtx-5090']],
  [['RTX 4090'], ['rtx-4090']],
  [['RTX 3090'], ['rtx-3090']],
  [['RTX 6000 Ada'], ['rtx-6000-ada']],
  [['RTX PRO 6000'], ['rtx-pro-6000']],
  [['A40'], ['a40']],
  [['A30'], ['a30']],
  [['L4'], ['l4']],
  [['T4'], ['t4']],
];

/** The node that the text describes, or what is wrong with the text. */
export function parseNvidiaSmi(text: string): DetectedNode | Problem {
  const devices = devicesOf(text.split(/\r?\n/));
  const [first] = devices;
  if (first === undefined) return problem('syntax', { reason: 'nvidia-smi-devices-missing', line: 1 });
  if (devices.some(({ name }) => name !== first.name))
    return problem('not-modelled', { what: 'mixed-devices', name: [...new Set(devices.map(d => d.name))].join(', ') });
  const gpu = acceleratorOf(first.name, first.memoryBytes);
  if (gpu === null) return problem('not-modelled', { what: 'device', name: first.name });
  return { gpu, gpusPerNode: devices.length, domainSize: domainOf(text) };
}

interface Device {
  readonly name: string;
  readonly memoryBytes: number | null;
}

const LIST = /^GPU \d+: (.+?) \(UUID: /;
const CSV = /^([^,|]+), (\d+) MiB$/;
const TABLE = /^\|\s+\d+\s+(\S.*?)\s(?:On|Off|N\/A)\s+\|/;
const TABLE_MEMORY = /\dMiB \/ +(\d+)MiB/;

function devicesOf(lines: readonly string[]): Device[] {
  const listed = lines.flatMap(line => matched(LIST, line));
  if (listed.length > 0) return listed.map(([name]) => ({ name, memoryBytes: null }));
  const csv = lines.flatMap(line => matched(CSV, line));
  if (csv.length > 0) return csv.map(([name, mib]) => ({ name: name.trim(), memoryBytes: Number(mib) * MIB }));
  return lines.flatMap((line, at) => {
    const [found] = matched(TABLE, line);
    if (found === undefined) return [];
    const memory = TABLE_MEMORY.exec(lines[at + 1] ?? '');
    return [{ name: found[0].trimEnd(), memoryBytes: memory === null ? null : Number(memory[1]) * MIB }];
  });
}

/** The groups of a match, as a list of none or one, so that lines can be mapped flat. */
function matched(pattern: RegExp, line: string): [name: string, more: string][] {
  if (line.length > 400) return [];
  const match = pattern.exec(line);
  return match === null ? [] : [[match[1] ?? '', match[2] ?? '']];
}

function acceleratorOf(name: string, memoryBytes: number | null): AcceleratorId | null {
  const upper = name.toUpperCase();
  const spaced = ` ${upper.replace(/[^A-Z0-9]+/g, ' ')} `;
  const ids = NAMES.find(([words]) => words.every(word => spaced.includes(` ${word.toUpperCase()} `)))?.[1] ?? [];
  // The name of some says its memory ("A100-SXM4-80GB"), else the table does.
  const gigabytes = /(?<!\d)(\d+) ?GB\b/.exec(upper)?.[1];
  const bytes = memoryBytes ?? (gigabytes === undefined ? null : Number(gigabytes) * 1e9);
  if (bytes === null) return ids[0] ?? null;
  const distance = (id: AcceleratorId): number => Math.abs(ACCELERATORS[id].capacityBytes - bytes);
  return [...ids].sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** The largest group of GPUs each of which NVLink joins with the first of it. */
function domainOf(text: string): number | null {
  const topology = parseTopology(text);
  if ('code' in topology) return null;
  const joined = topology.connections
    .slice(0, topology.gpus)
    .map(row => 1 + row.slice(0, topology.gpus).filter(({ path }) => path === 'NV').length);
  return Math.max(...joined);
}
