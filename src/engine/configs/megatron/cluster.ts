/** How many GPUs a launch uses: torchrun's and deepspeed's options, then Slurm's. */
import { type Problem, problem, type SourceRange } from '../../problem';
import type { SetupBuilder } from '../../setup/setup';
import type { Read } from '../reader';
import type { FlagWord } from '../shell/flags';
import type { ShellScript } from '../shell/script';
import { type MegatronArgs, pythonInteger, wordSource } from './args';

const MOST = 2 ** 20;

export function readCluster(args: MegatronArgs, script: ShellScript, builder: SetupBuilder, problems: Problem[]): void {
  const perNode = launcher(args, 'nproc-per-node') ?? environment(args, 'NPROC_PER_NODE') ?? slurmGpus(args, script);
  const nodes = launcher(args, 'nnodes') ?? environment(args, 'NNODES') ?? slurmNodes(args, script) ?? oneNode(args);
  if (perNode !== null) builder.setCluster('gpusPerNode', perNode.value, 'file', perNode.source);
  if (nodes !== null)
    builder.setCluster('nodes', nodes.value, nodes.source === null ? 'default' : 'file', nodes.source);
  if (perNode !== null && nodes !== null && perNode.value * nodes.value <= MOST) {
    builder.setCluster('gpus', perNode.value * nodes.value, 'derived');
  }
  for (const flag of ['nproc-per-node', 'nnodes']) {
    const found = args.all(flag).at(-1)?.words[0];
    const known = flag === 'nnodes' ? nodes : perNode;
    if (found === undefined || found.text !== null || known !== null) continue;
    const { reason } = found;
    const unknown = { key: `--${flag}`, reason: reason?.kind ?? null, name: reason?.name.slice(0, 60) ?? null };
    problems.push(problem('value-unknown', unknown, { source: args.place(flag) }));
  }
}

function launcher(args: MegatronArgs, flag: string): Read<number> | null {
  const last = args.all(flag).at(-1);
  const word = last?.words[0];
  return last === undefined ? null : count(word, word === undefined ? last.source : wordSource(word, last));
}

function count(word: FlagWord | undefined, source: SourceRange | null): Read<number> | null {
  // `--nnodes 2:4` is elastic: it is not known how many there will be.
  const value = word?.text === null || word === undefined ? null : pythonInteger(word.text);
  return value === null || value < 1 || value > MOST || source === null ? null : { value, source };
}

/** `NPROC_PER_NODE=8 megatron sft …`, or the same exported before. */
function environment(args: MegatronArgs, name: string): Read<number> | null {
  const word = args.command.environment.get(name);
  return word === undefined ? null : count(word, word.levels[0]?.[0] ?? args.command.source);
}

function slurmOption(args: MegatronArgs, script: ShellScript, ...names: readonly string[]): FlagWord | undefined {
  for (const name of names) {
    const own = args.command.flags.findLast(flag => flag.launcher && flag.name === name)?.words[0];
    const found = own ?? script.directives.get(name) ?? submitted(script, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An option of the `sbatch` command that submits the job. */
function submitted(script: ShellScript, name: string): FlagWord | undefined {
  const command = script.commands.find(({ words }) => words[0] === 'sbatch' || words[0] === 'srun');
  return command?.flags.findLast(flag => flag.name === name)?.words[0];
}

function slurmNodes(args: MegatronArgs, script: ShellScript): Read<number> | null {
  const word = slurmOption(args, script, 'nodes', 'N');
  return count(word, word?.levels[0]?.[0] ?? null);
}

function slurmGpus(args: MegatronArgs, script: ShellScript): Read<number> | null {
  const gpus = slurmOption(args, script, 'gpus-per-node', 'gres');
  const text = gpus?.text ?? null;
  // `gpu:8`, `gpu:a100:8`, `8`
  const amount = text === null ? null : /^(?:gpu:)?(?:[\w-]+:)?(\d+)$/.exec(text)?.[1];
  if (amount !== null && amount !== undefined && gpus !== undefined) {
    return count({ ...gpus, text: amount }, gpus.levels[0]?.[0] ?? null);
  }
  // One task a GPU, where the program is started without a launcher of its own.
  const tasks = args.has('nproc-per-node') ? undefined : slurmOption(args, script, 'ntasks-per-node');
  return tasks?.text === '1' ? null : count(tasks, tasks?.levels[0]?.[0] ?? null);
}

/** torchrun without --nnodes, and ms-swift without NNODES, start one node. */
function oneNode(args: MegatronArgs): { readonly value: number; readonly source: null } | null {
  const { words, environment: given } = args.command;
  const torchrun = args.has('nproc-per-node') && words.some(word => /torchrun|torch\.distributed/.test(word));
  const single = !args.has('nnodes') && !given.has('NNODES') && (torchrun || given.has('NPROC_PER_NODE'));
  return single ? { value: 1, source: null } : null;
}
