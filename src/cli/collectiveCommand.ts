/** `meshlens collective OP` on the command line: its options checked, its result as a document. */
import { problemDocument } from '../documents/build';
import { type ProblemDocument, SCHEMA } from '../documents/types';
import { ALGORITHMS, COLLECTIVE_OPS } from '../engine/collectives/schedule';
import { accelerator, isAcceleratorId } from '../engine/hardware/accelerators';
import { type CollectiveDocument, collectiveCommand, parseAlgorithm, parseOp } from './collective';
import { hardwareValues } from './inputs';
import { integerOption, type Options, UsageError } from './usage';

export interface CollectiveCommandDocument extends CollectiveDocument {
  readonly schema: typeof SCHEMA;
  readonly command: 'collective';
  readonly problems: readonly ProblemDocument[];
}

export function collectiveCli(operands: readonly string[], options: Options): CollectiveCommandDocument {
  const [name] = operands;
  const ranks = integerOption(options, 'ranks');
  const bytes = bytesOption(options);
  if (name === undefined || operands.length > 1 || ranks === null || bytes === null) {
    throw new UsageError('usage', 'collective needs an operation, --ranks N and --bytes B.');
  }
  const op = parseOp(name);
  if (op === null)
    throw new UsageError('unknown-operation', `There is no operation “${name}”: ${COLLECTIVE_OPS.join(', ')}.`);
  const algorithm = algorithmOption(options);
  const machine = machineOptions(options);
  const { document, problems } = collectiveCommand({
    op,
    ranks,
    bytes,
    ...machine,
    ...(algorithm === null ? {} : { algorithm }),
  });
  return { schema: SCHEMA, command: 'collective', ...document, problems: problems.map(problemDocument) };
}

function bytesOption(options: Options): number | null {
  const text = options.text.bytes;
  if (text === undefined) return null;
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw new UsageError('unknown-value', `--bytes needs an integer from 0, not “${text}”.`);
  return value;
}

function algorithmOption(options: Options) {
  const name = options.text.algorithm;
  if (name === undefined) return null;
  const algorithm = parseAlgorithm(name);
  if (algorithm === null)
    throw new UsageError('unknown-value', `There is no algorithm “${name}”: ${ALGORITHMS.join(', ')}.`);
  return algorithm;
}

/** The hardware file's values, then the options' over them. */
function machineOptions(options: Options) {
  const file = Object.fromEntries(hardwareValues(options));
  const id = options.text.gpu ?? file.gpu ?? null;
  if (id !== null && !isAcceleratorId(id)) throw new UsageError('unknown-gpu', `There is no accelerator “${id}”.`);
  const integer = (option: string, key: string) => {
    const value = integerOption(options, option) ?? (file[key] === undefined ? null : Number(file[key]));
    return value === null ? {} : { [key]: value };
  };
  return {
    gpu: id === null ? null : { id, device: accelerator(id) },
    ...integer('gpus-per-node', 'gpusPerNode'),
    ...integer('domain', 'domainSize'),
    ...integer('nic', 'nicBytesPerSecond'),
  };
}
