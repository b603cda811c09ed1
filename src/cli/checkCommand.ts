/** `meshlens check`: the problems of one setup, or of every config below a folder. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { problemDocument } from '../documents/build';
import { type CheckDocument, type ProblemDocument, SCHEMA } from '../documents/types';
import { belongTogether } from '../engine/configs/belong';
import { withoutSuppressed } from '../engine/configs/suppress';
import { estimate } from '../engine/estimate/estimate';
import { LARGEST_FILE } from '../engine/configs/json';
import { CONFIG_ENDINGS, readAll } from '../engine/configs/registry';
import { type Inputs, inputsOf, loadInputs, readFile } from './inputs';
import type { Options } from './usage';

/** Folders that hold no configs of their own. */
const IGNORED = new Set(['node_modules', '.git', '.venv', 'venv', 'site-packages', '__pycache__', 'wandb']);

export function checkCommand(names: readonly string[], options: Options): CheckDocument {
  const folders = names.filter(isFolder);
  const files = names.filter(name => !folders.includes(name));
  const problems = files.length === 0 && folders.length > 0 ? [] : problemsOf(loadInputs(files, options));
  const found = [...problems, ...folders.flatMap(folder => checkFolder(folder, options))];
  const once = new Map(found.map(problem => [JSON.stringify(problem), problem]));
  return { schema: SCHEMA, command: 'check', problems: [...once.values()] };
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Each config is a setup with what belongs to it in its folder, as the editor takes it. */
function checkFolder(folder: string, options: Options): ProblemDocument[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = entries
    .filter(entry => entry.isFile() && CONFIG_ENDINGS.some(ending => entry.name.toLowerCase().endsWith(ending)))
    .map(({ name }) => path.join(folder, name))
    .filter(file => statSync(file).size <= LARGEST_FILE);
  const texts = files.map(file => ({ file, text: readFile(file) }));
  const readings = readAll(texts);
  const own = readings.flatMap(reading => {
    if (reading.kind === null) return [];
    const group = belongTogether(
      reading,
      readings.filter(other => other !== reading),
    );
    return problemsOf(
      inputsOf(
        group.flatMap(({ file }) => texts.filter(text => text.file === file)),
        options,
      ),
    );
  });
  const folders = entries.filter(entry => entry.isDirectory() && !IGNORED.has(entry.name));
  return [...own, ...folders.flatMap(({ name }) => checkFolder(path.join(folder, name), options))];
}

/** Without the questions for missing values, unless a cluster is given to check against. */
function problemsOf({ files, setup, problems }: Inputs): ProblemDocument[] {
  if (files.every(({ reading }) => reading.kind === null)) return [];
  const found = withoutSuppressed(estimate(setup, problems).problems, files);
  const asked = setup.cluster.gpu !== null;
  return found
    .filter(({ code }) => asked || (code !== 'cluster-unknown' && code !== 'value-unknown'))
    .map(problemDocument);
}
