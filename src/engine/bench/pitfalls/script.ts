/**
 * What spoils a benchmark, found in its Python code: a look at the syntax tree of each function, nothing is run. Each
 * finding needs its own evidence in the code; what is not seen is not reported.
 */
import type { SyntaxNode } from '@lezer/common';
import { PythonModule } from '../../configs/python/module';
import { type Problem, problem } from '../../problem';
import { argument, type Body, bodyOf, type Call, type Warn } from './body';
import { scalePitfalls, seedPitfalls } from './shards';

const COLLECTIVE = /(?:^|\.)(?:all_reduce|reduce_scatter\w*|all_gather\w*|all_to_all\w*|broadcast|reduce)$/;
const CLOCK = /(?:^|\.)(?:time|perf_counter|default_timer|monotonic)$/;
const SYNCHRONIZE = /cuda\.synchronize$/;

/** Problems of one script; none where it does not parse or measures nothing of the kind. */
export function scriptPitfalls(file: string, text: string): Problem[] {
  if (text.length > MOST_TEXT || !/torch|dist\./.test(text)) return [];
  const module = new PythonModule(file, text);
  const bodies = [...module.functions.values()].map(({ name, node }) => bodyOf(module, name, node));
  const all = bodies.flatMap(({ calls }) => [...calls]);
  const setsDevice = all.some(({ name }) => /cuda\.set_device$/.test(name)) || /\bset_device\(/.test(text);
  const warn = (node: SyntaxNode, what: string, args: Readonly<Record<string, string | number>> = {}): Problem =>
    problem('pitfall', { what, ...args }, { source: module.range(node) });
  return [
    ...bodies.flatMap(body => timingPitfalls(body, bodies, warn)),
    ...bodies.flatMap(body => countPitfalls(body, warn)),
    ...bodies.flatMap(body => (setsDevice ? [] : devicePitfalls(body, warn))),
    ...bodies.flatMap(body => rangePitfalls(body, warn)),
    ...bodies.flatMap(body => seedPitfalls(body, warn)),
    ...bodies.flatMap(body => scalePitfalls(body, bodies, warn)),
    ...unitPitfalls(module, warn),
  ];
}

const MOST_TEXT = 1_000_000;

/** Around a collective between two looks at a clock: warm-up, repetition, waiting for the GPU, the clock itself. */
function timingPitfalls({ name, calls }: Body, bodies: readonly Body[], warn: Warn): Problem[] {
  const clocks = calls.filter(call => CLOCK.test(call.name));
  const [first, last] = [clocks[0], clocks.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  const timed = calls.find(call => COLLECTIVE.test(call.name) && isBetween(call, first, last));
  if (timed === undefined) return [];
  const found: Problem[] = [];
  const warmed = calls.some(call => call.name === timed.name && call.node.to < first.node.from);
  const isRepeated = timed.inLoop || first.inLoop;
  // A function that is called in a loop, or several times, is repeated and warmed up by its caller.
  const callers = bodies.flatMap(body => body.calls.filter(call => call.name === name));
  const calledOften = callers.length > 1 || callers.some(call => call.inLoop);
  const what = { name: timed.name };
  if (!warmed && !isRepeated && !calledOften) found.push(warn(timed.node, 'no-warm-up', what));
  if (!isRepeated && !calledOften) found.push(warn(timed.node, 'single-sample', what));
  const waits = calls.some(
    call =>
      /synchronize|\.wait$|\.item$|\.cpu$/.test(call.name) &&
      call.node.from > timed.node.to &&
      call.node.to < last.node.from,
  );
  const onGpu = calls.some(
    call => /cuda|get_device/.test(call.name) || call.args.some(arg => /cuda|get_device/.test(arg)),
  );
  if (onGpu && !waits) found.push(warn(timed.node, 'no-sync', what));
  return found;
}

const isBetween = (call: Call, first: Call, last: Call) =>
  call.node.from > first.node.to && call.node.to < last.node.from;

/** Bytes of reduce-scatter that are counted by its output. */
function countPitfalls({ calls, assignments }: Body, warn: Warn): Problem[] {
  const scatter = calls.find(
    ({ name }) => name.slice(name.lastIndexOf('.') + 1).includes('reduce_scatter') && !name.startsWith('spawn'),
  );
  if (scatter === undefined) return [];
  const output = argument(scatter, 'output', 0);
  if (output === null) return [];
  return assignments
    .filter(({ name, value }) => /bytes|size/i.test(name) && counts(value, output))
    .filter(({ name }) =>
      assignments.some(one => one.value.includes(name) && /\b(?:world_size|n|size)\b ?- ?1/.test(one.value)),
    )
    .map(({ node }) => warn(node, 'reduce-scatter-output'));
}

/** `output.element_size() * output.numel()`, in any order. */
const counts = (value: string, tensor: string) =>
  value.includes(`${tensor}.numel()`) || value.includes(`${tensor}.nelement()`) || value === `${tensor}.nbytes`;

/** Every rank would wait for GPU 0. One GPU in one process needs no choice. */
function devicePitfalls({ calls }: Body, warn: Warn): Problem[] {
  const wait = calls.find(({ name, args }) => SYNCHRONIZE.test(name) && args.length === 0);
  const isDistributed = calls.some(({ name }) => COLLECTIVE.test(name) || /(?:dist|distributed)\.barrier$/.test(name));
  return wait === undefined || !isDistributed ? [] : [warn(wait.node, 'sync-without-device')];
}

/** range(n − 1, 0, −1) over layers. */
function rangePitfalls({ calls }: Body, warn: Warn): Problem[] {
  return calls
    .filter(
      ({ name, args }) =>
        name === 'range' && args.length === 3 && args[1] === '0' && args[2]?.replaceAll(' ', '') === '-1',
    )
    .filter(({ args }) => /(?:layer|param|\bL\b|len\()/.test(args[0] ?? '') && /- ?1$/.test(args[0] ?? ''))
    .map(({ node, args }) => warn(node, 'range-skips-first', { name: args[0] ?? '' }));
}

/** Divides by 2³⁰. */
const IN_GIB = /\/ ?\(?(?:1024 ?\*\* ?3|2 ?\*\* ?30|1 ?<< ?30)/;

/** An f-string that divides by 1024³ (or 2³⁰) and calls it GB. */
function unitPitfalls(module: PythonModule, warn: Warn): Problem[] {
  const found: Problem[] = [];
  module.tree.iterate({
    enter: ({ node, name }) => {
      if (name !== 'FormatString') return;
      const text = module.slice(node);
      if (
        text
          .split(/\} ?GB\b/)
          .slice(0, -1)
          .some(before => IN_GIB.test(before.split(/[{}]/).at(-1) ?? ''))
      )
        found.push(warn(node, 'gib-as-gb'));
    },
  });
  return found;
}
