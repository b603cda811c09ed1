/** A proof as a file: CSV with a line for each number that was counted, or the whole document as JSON. */
import type { ProofDocument } from '../../src/documents/proof';
import { PREDICTED_KINDS } from './rows';

export function proofFile(document: ProofDocument, format: 'csv' | 'json') {
  const text = format === 'csv' ? proofCsv(document) : `${JSON.stringify(document, null, 2)}\n`;
  return {
    name: `proof.${format}`,
    mime: format === 'csv' ? 'text/csv' : 'application/json',
    data: new TextEncoder().encode(text),
  };
}

type Line = readonly [what: string, where: string, index: number | '', found: number, expected: number | ''];

/** Losses by step; bytes by rank of each operation and kind; fractions of the bubble. Unrounded, bytes. */
function proofCsv({ result }: ProofDocument): string {
  if (result === null) return 'what,where,index,found,expected\r\n';
  const { losses, serialLosses, traffic, memory, predictedMemory, bubbleFraction, predictedBubbleFraction } = result;
  const lines: Line[] = [
    ...losses.map((loss, step): Line => ['loss', 'step', step, loss, serialLosses[step]]),
    ...traffic.flatMap(({ axis, op, bytesPerRank, predictedBytesPerRank }) =>
      bytesPerRank.map(
        (bytes, rank): Line => ['traffic', `${axis} ${op}`, rank, bytes, predictedBytesPerRank[rank] ?? 0],
      ),
    ),
    ...memory.flatMap((live, rank) => [
      ...PREDICTED_KINDS.map((kind): Line => ['memory', kind, rank, live[kind], predictedMemory[rank][kind]]),
      ['memory', 'buffers', rank, live.buffers, ''] as const,
    ]),
    ['bubble', 'pipeline', '', bubbleFraction, predictedBubbleFraction],
  ];
  return ['what,where,index,found,expected', ...lines.map(line => line.join(','))].map(line => `${line}\r\n`).join('');
}
