/** The commands over config files: each gives its document and whether an error stands in it. */
import { basename } from 'node:path';
import { editedFiles } from '../engine/configs/edits';
import type { PlanChange } from '../engine/configs/changedSetup';
import { EXPORT_KINDS, isExportKind } from '../engine/configs/export/targets';
import { withoutSuppressed } from '../engine/configs/suppress';
import { hasWriter, planEdits } from '../engine/configs/write';
import { estimate } from '../engine/estimate/estimate';
import { completeSetup } from '../engine/plan/complete';
import { isPlanKey, parsePlanValue } from '../engine/plan/keys';
import { estimateDocument, problemDocument, readDocument } from '../documents/build';
import { exportDocument } from '../documents/exportDocument';
import {
  type ApplyDocument,
  type EstimateDocument,
  type ExportDocument,
  type ReadDocument,
  SCHEMA,
} from '../documents/types';
import { createTexts, replaceText } from '../node/files';
import { loadInputs } from './inputs';
import { type Options, pairs, UsageError } from './usage';

export function readCommand(files: readonly string[], options: Options): ReadDocument {
  const { files: read, setup } = loadInputs(files, options);
  return readDocument(
    read.map(({ reading }) => reading),
    completeSetup(setup),
  );
}

export function estimateCommand(files: readonly string[], options: Options): EstimateDocument {
  const { files: read, setup, problems } = loadInputs(files, options);
  const result = estimate(setup, problems);
  return estimateDocument({ ...result, problems: withoutSuppressed(result.problems, read) });
}

export function applyCommand(files: readonly string[], options: Options): ApplyDocument {
  const { files: read, setup, problems } = loadInputs(files, options);
  const text = options.text.plan;
  if (text === undefined) throw new UsageError('usage', 'apply needs --plan key=value,…');
  const change: PlanChange = Object.fromEntries(
    pairs([text], '--plan').map(([key, value]) => {
      const parsed = isPlanKey(key) ? parsePlanValue(key, value) : undefined;
      if (!isPlanKey(key)) throw new UsageError('unknown-key', `There is no key “${key}” in a plan.`);
      if (parsed === undefined) throw new UsageError('unknown-value', `${key} cannot be “${value}”.`);
      return [key, parsed];
    }),
  );
  const target = read.find(({ reading }) => reading.setup !== null && hasWriter(reading.kind));
  if (target?.reading.kind == null)
    throw new UsageError('no-writer', 'None of the files is of a kind that can be written.');
  const { edits, problems: broken } = planEdits(
    { ...target, kind: target.reading.kind, beside: read.filter(other => other !== target) },
    setup,
    change,
  );
  const changed = editedFiles(read, edits).filter(({ text: next }, at) => next !== read[at].text);
  if (options.write) for (const each of changed) replaceText(each.file, each.text);
  const damage = problems.filter(({ severity }) => severity === 'error');
  return { schema: SCHEMA, command: 'apply', edits, problems: [...damage, ...broken].map(problemDocument) };
}

/** The setup in another framework's own keys; `--out FOLDER` writes the new files, over none that is there. */
export function exportCommand(files: readonly string[], options: Options): ExportDocument {
  const { files: read, setup, problems } = loadInputs(files, options);
  const { to, out } = options.text;
  if (to === undefined || !isExportKind(to))
    throw new UsageError(to === undefined ? 'usage' : 'unknown-value', `export needs --to ${EXPORT_KINDS.join('|')}`);
  if (read.every(({ reading }) => reading.setup === null))
    throw new UsageError('no-config', 'None of the files is a config.');
  const document = exportDocument(setup, problems, to, read.map(({ file }) => basename(file)).join(', '));
  const taken = out === undefined ? null : createTexts(out, document.files);
  if (taken !== null) throw new UsageError('file-exists', `${taken} is there already.`);
  return document;
}
