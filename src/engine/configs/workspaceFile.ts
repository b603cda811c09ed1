/**
 * `meshlens.json`: what a team knows of its runs and no training config states. It lies in a folder of the workspace
 * and speaks of the configs in that folder and below; the nearest one counts.
 *
 *     { "cluster": {"gpu": "h100-sxm"}, "values": {"seqLen": 8192}, "costs": {"perGpuHour": 2.5},
 *       "hardware": "hardware.json",
 *       "overrides": [{"files": ["configs/small/"], "cluster": {"gpu": "l40s"}}] }
 */
import { applyEdits, modify } from 'jsonc-parser';
import { parseJson } from './json';
import { nodeAt, plainValue, type ConfigNode } from './tree';
import { type Problem, problem, type SourceRange } from '../problem';
import { override } from '../setup/override';
import { isClusterKey, SetupBuilder, type TrainingSetup } from '../setup/setup';

export const WORKSPACE_FILE = 'meshlens.json';

/** The user's own prices and factors; null is unknown. */
export interface Costs {
  readonly perGpuHour: number | null;
  readonly currency: string | null;
  readonly wattsPerGpu: number | null;
  /** Of the whole site over that of the machines (PUE). */
  readonly powerUsage: number | null;
  readonly gramsCo2PerKwh: number | null;
  readonly litresPerKwh: number | null;
}

export const NO_COSTS: Costs = {
  perGpuHour: null,
  currency: null,
  wattsPerGpu: null,
  powerUsage: null,
  gramsCo2PerKwh: null,
  litresPerKwh: null,
};

/** Costs of which the second are the more particular. */
export function mergeCosts(general: Costs, own: Costs): Costs {
  const known = Object.entries(own).filter(([, value]) => value !== null);
  return { ...general, ...Object.fromEntries(known) };
}

export interface WorkspaceValues {
  /** In the order in which they apply. */
  readonly values: readonly (readonly [key: string, value: string])[];
  readonly costs: Costs;
  /** The hardware file that is named, by its path from this file. */
  readonly hardware: { readonly path: string; readonly source: SourceRange | null } | null;
  readonly problems: readonly Problem[];
}

export const NO_WORKSPACE: WorkspaceValues = { values: [], costs: NO_COSTS, hardware: null, problems: [] };

const SECTIONS: readonly string[] = ['$schema', 'cluster', 'values', 'costs', 'hardware', 'overrides'];
const EMPTY: TrainingSetup = new SetupBuilder().build();

/**
 * The values of the file that hold for a config, named by its path from the file's folder (`configs/train.toml`). What
 * means nothing is a problem at its place and is left out.
 */
export function readWorkspaceFile(file: string, text: string, config: string): WorkspaceValues {
  const { root, problems: damage } = parseJson(file, text, { comments: true, trailingCommas: true });
  const problems: Problem[] = [...damage];
  if (root === null || root.kind !== 'map') return { ...NO_WORKSPACE, problems };
  for (const [name, { key }] of root.entries) {
    if (!SECTIONS.includes(name)) problems.push(unexpected(name, SECTIONS.slice(1).join(', '), key));
  }
  const values = [...valuesOf(root, problems)];
  let hardware = hardwareOf(root, problems);
  const overrides = nodeAt(root, 'overrides');
  for (const entry of overrides?.kind === 'list' ? overrides.items : []) {
    const own = valuesOf(entry, problems);
    const ownHardware = hardwareOf(entry, problems);
    if (!speaksOf(entry, config)) continue;
    values.push(...own);
    hardware = ownHardware ?? hardware;
  }
  return { values, costs: costsOf(nodeAt(root, 'costs'), problems), hardware, problems };
}

/** The text of the file with this hardware file named in it; comments and the rest stay. '' where there is none yet. */
export function withHardware(text: string, path: string): string {
  const start = text.trim() === '' ? '{}\n' : text;
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  return applyEdits(start, modify(start, ['hardware'], path, { formattingOptions }));
}

function unexpected(value: string, expected: string, source: Problem['source']): Problem {
  return problem('value-invalid', { key: WORKSPACE_FILE, expected, value }, { source, severity: 'warning' });
}

function hardwareOf(section: ConfigNode, problems: Problem[]): WorkspaceValues['hardware'] {
  const node = nodeAt(section, 'hardware');
  const path = plainValue(node);
  if (node === null || path === null) return null;
  if (typeof path === 'string' && path !== '') return { path, source: node.source };
  problems.push(unexpected(`hardware: ${shown(path)}`, 'the path of a hardware file', node.source));
  return null;
}

/** The `cluster` and `values` of a section. */
function valuesOf(section: ConfigNode, problems: Problem[]): [key: string, value: string][] {
  const found: [string, string][] = [];
  for (const name of ['cluster', 'values']) {
    const node = nodeAt(section, name);
    for (const [key, { key: source, node: value }] of node?.kind === 'map' ? node.entries : []) {
      const plain = plainValue(value);
      if (plain === null) continue;
      const text = (Array.isArray(plain) ? plain : [plain])
        .map(one => (typeof one === 'string' ? one : shown(one)))
        .join('/');
      const isCluster = key === 'gpu' || isClusterKey(key);
      const refused = name === 'cluster' && !isCluster ? { code: 'unknown-key' } : override(EMPTY, key, text);
      if (!('code' in refused)) found.push([key, text]);
      else if (refused.code === 'unknown-key') problems.push(unexpected(key, `a key of ${name}`, source));
      else
        problems.push(
          problem(
            'value-invalid',
            { key, expected: `a value of ${key}`, value: text.slice(0, 60) },
            { source: value.source, severity: 'warning' },
          ),
        );
    }
  }
  return found;
}

/** A path, or a folder that ends with a slash and stands for all that lies in it. */
function speaksOf(entry: ConfigNode, config: string): boolean {
  const files = plainValue(nodeAt(entry, 'files'));
  const names = Array.isArray(files) ? files : [files];
  return names.some(
    name => typeof name === 'string' && (name.endsWith('/') ? config.startsWith(name) : config === name),
  );
}

function costsOf(node: ConfigNode | null, problems: Problem[]): Costs {
  const costs: Record<string, unknown> = { ...NO_COSTS };
  for (const [key, { key: source, node: value }] of node?.kind === 'map' ? node.entries : []) {
    const plain = plainValue(value);
    const isValid = key === 'currency' ? typeof plain === 'string' : typeof plain === 'number' && plain >= 0;
    if (!Object.hasOwn(NO_COSTS, key)) problems.push(unexpected(key, Object.keys(NO_COSTS).join(', '), source));
    else if (isValid) costs[key] = plain;
    else if (plain !== null) problems.push(unexpected(`${key}: ${shown(plain)}`, 'a number from 0', source));
  }
  return costs as unknown as Costs;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 60);
}
