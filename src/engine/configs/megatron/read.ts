/** Launch scripts of Megatron-LM and its relatives: bash, parsed and never run. */
import { type Problem, problem } from '../../problem';
import type { FileReading } from '../../setup/setup';
import type { TextFile } from '../beside';
import { ConfigReader } from '../reader';
import { readScript, type ShellCommand, type ShellScript } from '../shell/script';
import { readZooModel } from '../zooModel';
import { MegatronArgs } from './args';
import { readCluster } from './cluster';
import { deepSpeedJson } from './deepspeed';
import { OWN_FLAGS, resolveFlag, TELLING_FLAGS } from './flags';
import { readModel } from './model';
import { readPlan } from './plan';
import { namedFiles, OPTIONS_FILE } from './related';
import { megatronProblems } from './rules';
import { isSwift, readSwift } from './swift';

const TELLING = new Set(TELLING_FLAGS);

/** Programs that take Megatron's options and train nothing. */
const NO_TRAINING = /eval|infer|generat|server|convert|preprocess|export|quantize|harness|hf2m|analy|prune/i;

/** A script with the command that trains. */
export interface MegatronScript {
  readonly script: ShellScript;
  readonly command: ShellCommand;
}

/** Reads a launch script, or gives null for a script that starts no Megatron training. */
export function readMegatronScript(file: string, text: string, beside: readonly TextFile[] = []): FileReading | null {
  const found = findMegatron(file, text, beside);
  if (found === null) return null;
  const { script, command } = found;
  const args = new MegatronArgs(command);
  const reader = new ConfigReader(file, 'megatron', null);
  const { builder, problems } = reader;
  problems.push(...scriptProblems(script));
  const refers = namedFiles(args, script);
  const { includes } = script;
  const damaged = script.errors.length > 0;
  if (args.has(OPTIONS_FILE)) {
    readCluster(args, script, builder, problems);
    return { file, kind: 'megatron', setup: builder.build(), problems, refers, includes, damaged };
  }
  // ms-swift names a hub model where Megatron's own scripts write sizes.
  const hub = args.has('num-layers') ? null : args.text('model');
  if (hub === null) readModel(args, builder);
  else readZooModel(reader, hub.value, hub.source);
  readCluster(args, script, builder, problems);
  readPlan(args, builder, deepSpeedJson(script.documents));
  if (isSwift(command)) readSwift(args, builder);
  const setup = builder.build();
  const broken = megatronProblems(args, setup);
  problems.push(...args.problems, ...broken);
  return { file, kind: 'megatron', setup, problems, refers, includes, damaged };
}

/** The command with the most of Megatron's options, where it has two of those that tell it from others. */
export function findMegatron(file: string, text: string, beside: readonly TextFile[] = []): MegatronScript | null {
  if (!mayBeMegatron(text, beside)) return null;
  const script = readScript(file, text, beside);
  let best: ShellCommand | null = null;
  let most = 1;
  for (const command of script.commands) {
    if (NO_TRAINING.test(command.program ?? '')) continue;
    const names = new Set(command.flags.map(({ name }) => resolveFlag(name)));
    const telling = [...names].filter(name => TELLING.has(name)).length;
    if (telling > most && OWN_FLAGS.some(flag => names.has(flag))) {
      most = telling;
      best = command;
    }
  }
  best ??= script.commands.find(({ flags }) => flags.some(({ name }) => resolveFlag(name) === OPTIONS_FILE)) ?? null;
  return best === null ? null : { script, command: best };
}

/** Scripts that a launch script without options of its own sources or starts: they may hold the options. */
export function scriptIncludes(file: string, text: string): FileReading | null {
  if (!/pretrain|torchrun|megatron|deepspeed/.test(text) || !/(^|\s)(source|\.|(ba)?sh)\s/.test(text)) return null;
  const { includes } = readScript(file, text);
  return includes.length === 0 ? null : { file, kind: null, setup: null, problems: [], includes, damaged: false };
}

/** Most shell scripts are none of ours: they are not parsed. */
function mayBeMegatron(text: string, beside: readonly TextFile[]): boolean {
  return [text, ...beside.map(other => other.text)].some(each => {
    const options = TELLING_FLAGS.filter(
      flag =>
        each.includes(`--${flag}`) ||
        each.includes(`--${flag.replaceAll('-', '_')}`) ||
        each.includes(`--${flag.slice(0, -5)}`),
    );
    return options.length > 1 || each.includes('megatron') || /yaml[-_]cfg/.test(each);
  });
}

function scriptProblems({ errors, exhausted }: ShellScript): Problem[] {
  const [first] = errors;
  const found: Problem[] = [];
  if (first !== undefined) {
    // What bash cannot parse it may never reach; the rest was read.
    found.push(
      problem('syntax', { format: 'bash', reason: first.message }, { source: first.source, severity: 'warning' }),
    );
  }
  if (exhausted) found.push(problem('not-modelled', { what: 'script-size', name: 'the script' }));
  return found;
}
