/** A setup in another framework's own keys, with what that framework cannot say in words at the head of its file. */
import type { ExportedFile } from '../engine/configs/export/files';
import { type Exported, exportSetup } from '../engine/configs/export/export';
import { type ExportKind, TARGETS } from '../engine/configs/export/targets';
import type { Problem } from '../engine/problem';
import type { TrainingSetup } from '../engine/setup/setup';
import { EXPORT_WORDS, lossWords, openWords } from '../words/export';
import { problemDocument } from './build';
import { type ExportDocument, SCHEMA } from './types';

/** `from` names the files that the setup was read from. */
export function exportDocument(
  setup: TrainingSetup,
  readProblems: readonly Problem[],
  kind: ExportKind,
  from: string,
): ExportDocument {
  const exported = exportSetup(setup, kind);
  const { losses, open, problems } = exported;
  const damage = readProblems.filter(({ severity }) => severity === 'error');
  return {
    schema: SCHEMA,
    command: 'export',
    kind,
    files: withHead(exported, from),
    notCarried: losses.map(loss => ({ ...loss, message: lossWords(loss) })),
    open: open.map(code => ({ code, message: openWords(code) })),
    problems: [...damage, ...problems].map(problemDocument),
  };
}

/** The main file with its comments: after the first line of a script, which names its interpreter. */
function withHead({ kind, files, losses, open }: Exported, from: string): ExportedFile[] {
  const [main, ...others] = files;
  const { comment } = TARGETS[kind];
  if (main === undefined || comment === null) return [...files];
  const lines = [
    EXPORT_WORDS.madeBy(from),
    ...(losses.length === 0
      ? [EXPORT_WORDS.allCarried]
      : [EXPORT_WORDS.notCarried, ...losses.map(lossWords).map(item)]),
    ...(open.length === 0 ? [] : [EXPORT_WORDS.open, ...open.map(openWords).map(item)]),
  ];
  const head = lines.map(line => `${comment} ${line}\n`).join('');
  const [, interpreter = '', rest = ''] = /^(#!.*\n)?([\s\S]*)$/.exec(main.text) ?? [];
  return [{ ...main, text: `${interpreter}${head}${rest}` }, ...others];
}

const item = (text: string): string => `  - ${text}`;
