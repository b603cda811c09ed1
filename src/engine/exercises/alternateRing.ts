/**
 * The alternate ring: an all-reduce in which whole buffers go round. Each statement is a step of every rank:
 * `send(what, where, then)` with what of own, received (what came in the step before), sum (all that was added up so far);
 * where of next, previous; then of add, replace. Each rank's sum, its own buffer at first, must in the end be the sum of all.
 *
 * Legend: n ranks, S bytes; the ring sends (n − 1)·S a rank.
 */
import type { Program, Rank } from '../collectives/communicator';
import { type Finding, finding, type Grade, WrongSolution } from './grade';
import { runRanks } from './interpreter';
import type { Expression, Statement } from './statements';

const N = 4;
/** Elements of a buffer: one for each rank, which counts how often that rank's contribution is in it. */
const ELEMENTS = N;

interface Move {
  readonly line: number;
  readonly what: 'own' | 'received' | 'sum';
  readonly where: 'next' | 'previous';
  readonly then: 'add' | 'replace';
}

const WORDS: Readonly<Record<'what' | 'where' | 'then', readonly string[]>> = {
  what: ['own', 'received', 'sum'],
  where: ['next', 'previous'],
  then: ['add', 'replace'],
};

export function gradeAlternateRing(statements: readonly Statement[]): Grade {
  const moves: Move[] = [];
  for (const statement of statements) {
    const move = moveOf(statement);
    if ('code' in move) return move;
    moves.push(move);
  }
  const run = runRanks(N, function* (rank: Rank): Program<{ sum: Float64Array; sent: number }> {
    const own = Float64Array.from({ length: ELEMENTS }, (_, i) => (i === rank.rank ? 1 : 0));
    let sum = own.slice();
    let received: Float64Array | null = null;
    let sent = 0;
    for (const { line, what, where, then } of moves) {
      const buffers = { own, received, sum };
      const data = buffers[what];
      if (data === null) throw new WrongSolution(finding('unknown-name', line, { name: 'received' }));
      const step = where === 'next' ? 1 : N - 1;
      const handle = yield* rank.start({ kind: 'send', to: (rank.rank + step) % N, tag: 0, data: data.slice() });
      received = (yield* rank.receive((rank.rank + N - step) % N)) as Float64Array;
      yield* rank.wait(handle);
      sent += data.length;
      sum = then === 'replace' ? received.slice() : sum.map((value, i) => value + (received?.[i] ?? 0));
    }
    return { sum, sent };
  });
  if ('code' in run) return run;
  return ringFinding(run[0].sum, run[0].sent, moves);
}

function moveOf({ line, value, target, guard }: Statement): Move | Finding {
  if (value.kind !== 'call' || value.name !== 'send' || target !== null || guard !== null)
    return finding('unknown-operation', line, { operation: nameOf(value), known: 'send' });
  const names = value.args.map(nameOf);
  const fits = (['what', 'where', 'then'] as const).every((part, i) => WORDS[part].includes(names[i] ?? ''));
  if (!fits || names.length !== 3) return finding('arguments', line, { operation: 'send', expected: 3 });
  return { line, what: names[0], where: names[1], then: names[2] } as Move;
}

const nameOf = (expression: Expression): string =>
  expression.kind === 'number' ? String(expression.value) : expression.name;

/** All ranks do the same, so rank 0 speaks for them. counts[r]: how often r's contribution is in its sum. */
function ringFinding(counts: Float64Array, sent: number, moves: readonly Move[]): Finding | null {
  const [own, ...others] = counts;
  const missing = counts.findIndex(count => count === 0);
  const repeated = counts.findIndex(count => count > 1);
  if (moves.some(({ then }) => then === 'replace') && missing >= 0)
    return finding('sum-replaced', moves.find(({ then }) => then === 'replace')?.line ?? null, {});
  if (repeated >= 0 && moves.some(({ what }) => what === 'sum'))
    return finding('sum-forwarded', moves.find(({ what }) => what === 'sum')?.line ?? null, {
      from: repeated,
      count: counts[repeated],
    });
  if (own > 1 && others.every(count => count <= 1))
    return finding('own-again', moves.at(-1)?.line ?? null, { count: own });
  if (repeated >= 0)
    return finding('contribution-repeated', null, { from: repeated, count: counts[repeated], missing });
  if (missing >= 0) return finding('contribution-missing', null, { from: missing, steps: moves.length, needed: N - 1 });
  if (sent > (N - 1) * ELEMENTS) return finding('too-much-traffic', null, { buffers: sent / ELEMENTS, needed: N - 1 });
  return null;
}
