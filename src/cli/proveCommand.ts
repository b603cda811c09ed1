/** `meshlens prove FILE…`: the plan of the files on the twin of their model, as the editor proves it. */
import { proofDocument, type ProofDocument } from '../documents/proof';
import { problemLine } from './text';
import { PROOF_STEPS } from '../protocol/engine';
import { formatBytes, formatNumber } from '../words/format';
import { loadInputs } from './inputs';
import { bytesOf } from './trainCommand';
import { proofNextStep } from './nextStep';
import { integerOption, type Options, UsageError } from './usage';

/** More steps than this take longer than anyone waits for. */
const MOST_STEPS = 1000;

/** `--plan` goes over the files as `--set` does. */
export function proveCommand(files: readonly string[], options: Options): ProofDocument {
  const { plan, data } = options.text;
  const { setup, problems } = loadInputs(
    files,
    plan === undefined ? options : { ...options, set: [...options.set, plan] },
  );
  const steps = integerOption(options, 'steps') ?? PROOF_STEPS;
  if (steps > MOST_STEPS) throw new UsageError('unknown-value', `--steps is at most ${MOST_STEPS}.`);
  const run = proofDocument(setup, problems, null, steps, data === undefined ? null : bytesOf(data));
  for (;;) {
    const next = run.next();
    if (next.done === true) return next.value;
  }
}

export function proveText({ sentences, problems, planString, twin, result }: ProofDocument): string {
  const list = (heading: string, items: readonly string[]) =>
    items.length === 0 ? [] : [heading, ...items.map(item => `  ${item}`)];
  const lines = [
    `plan ${planString}`,
    sentences.verdict,
    ...problems.map(problemLine),
    ...proofNextStep(problems),
    ...list('What was proved', sentences.proved),
    ...list('What was not', sentences.notProved),
    ...list('The twin that ran', [...sentences.scaled, ...(twin === null ? [] : [twin.planString])]),
    ...(result === null ? [] : numbers(result)),
  ];
  return `${lines.join('\n')}\n`;
}

function numbers({ losses, serialLosses, traffic, mismatches }: NonNullable<ProofDocument['result']>): string[] {
  const total = (bytes: readonly number[]) => formatBytes(bytes.reduce((a, b) => a + b, 0));
  return [
    `losses    ${losses.map(loss => formatNumber(loss, 6)).join(' ')}`,
    `serial    ${serialLosses.map(loss => formatNumber(loss, 6)).join(' ')}`,
    ...traffic.map(
      ({ axis, op, count, bytesPerRank, predictedBytesPerRank }) =>
        `${axis} ${op}: ${count} calls, ${total(bytesPerRank)} from all ranks (predicted ${total(predictedBytesPerRank)})`,
    ),
    ...mismatches.map(({ message }) => message),
  ];
}
