/** What MeshLens itself wrote: the cluster benchmark's file, and kept results of this machine. */
import { parseJson } from '../../configs/json';
import { plainValue } from '../../configs/tree';
import type { BenchRecord, MeasuredCollective } from '../records';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const positive = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);

export interface OwnFile {
  readonly format: 'meshlens-cluster' | 'meshlens-host' | 'meshlens-collectives';
  readonly records: readonly BenchRecord[];
  /** Measurements that lack a figure, by their place in the list. */
  readonly broken: readonly number[];
  /** Of the cluster's file. */
  readonly device: string | null;
  readonly dtype: string | null;
}

/** null: not one of ours. */
export function readOwn(file: string, text: string): OwnFile | null {
  if (!text.trimStart().startsWith('{')) return null;
  const { root } = parseJson(file, text, { comments: false, trailingCommas: false });
  const value = plainValue(root);
  if (!isObject(value)) return null;
  if (value.format === 'meshlens-cluster/1') return readList('meshlens-cluster', value, value.measurements);
  if (value.command !== 'bench') return null;
  if (value.kind === 'collectives')
    return readList('meshlens-collectives', value, tagged(value.measurements, 'collective'));
  if (value.kind !== 'host') return null;
  const list = [
    ...tagged(value.products, 'product'),
    ...tagged(value.memory, 'memory'),
    ...tagged(value.collectives, 'collective'),
  ];
  return readList('meshlens-host', value, list);
}

const tagged = (list: unknown, kind: string): Json[] =>
  Array.isArray(list) ? list.map(one => ({ ...(isObject(one) ? one : {}), kind })) : [];

function readList(format: OwnFile['format'], head: Json, list: unknown): OwnFile {
  const dtype = typeof head.dtype === 'string' ? head.dtype : null;
  const records: BenchRecord[] = [];
  const broken: number[] = [];
  (Array.isArray(list) ? list : []).forEach((one: unknown, at) => {
    const record = isObject(one) ? recordOf(one, dtype) : null;
    if (record === 'skip') return;
    if (record === null) broken.push(at);
    else records.push(record);
  });
  return { format, records, broken, device: typeof head.device === 'string' ? head.device : null, dtype };
}

/** 'skip': measured for other uses (attention, overlap, a barrier). */
function recordOf(one: Json, dtype: string | null): BenchRecord | null | 'skip' {
  const seconds = positive(one.medianSeconds);
  if (one.op === 'barrier') return 'skip';
  switch (one.kind) {
    case 'collective': {
      const [bytes, ranks] = [positive(one.bytes), positive(one.ranks)];
      if (bytes === null || ranks === null || seconds === null) return null;
      const op = String(one.op) as MeasuredCollective;
      return { kind: 'collective', line: 1, op, bytes, ranks, nodes: positive(one.nodes) ?? 1, seconds };
    }
    case 'product': {
      const [m, k, n] = [positive(one.m), positive(one.k), positive(one.n)];
      if (m === null || k === null || n === null || seconds === null) return null;
      const own = typeof one.dtype === 'string' ? one.dtype : dtype;
      return { kind: 'product', line: 1, m, k, n, dtype: own, seconds };
    }
    case 'memory': {
      const bytes = positive(one.bytes);
      if (bytes === null || seconds === null) return null;
      return { kind: 'memory', line: 1, bytes, bytesPerSecond: (2 * bytes) / seconds };
    }
    default:
      return seconds === null ? null : 'skip';
  }
}
