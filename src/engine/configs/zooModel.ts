/** The model that a training config names by its hub id. */
import { zooEntry } from '../model/zoo';
import type { ZooEntry } from '../model/zooEntry';
import type { SourceRange } from '../problem';
import type { TrainingSetup } from '../setup/setup';
import { readHfConfig } from './hf/read';
import { parseJson } from './json';
import type { ConfigReader } from './reader';

/**
 * Sets the sizes of the named model. A model that the zoo does not know stays unknown, and the reader says so: another
 * file may hold its config.
 */
export function readZooModel(reader: ConfigReader, id: string, source: SourceRange | null): void {
  const entry = zooEntry(id);
  reader.builder.setModel('name', id, 'file', source);
  if (entry === null) {
    // What the hub does not have may be a folder beside the file.
    reader.refers.push(id.endsWith('.json') ? id : `${id.replace(/(?<!\/)\/+$/, '')}/config.json`);
    reader.fields.set('model', 'model.hidden');
    reader.unknown(['model'], 'zoo', source, id.slice(0, 80));
  } else setZooEntry(reader, entry);
}

/** The vocabulary of a known model, whose tokenizer others use. */
export function zooVocabulary(id: string): number | null {
  const entry = zooEntry(id);
  return entry === null ? null : (zooSetup(entry)?.sizes.vocab ?? null);
}

/** The setup that an entry's config.json makes. */
export function zooSetup(entry: ZooEntry): TrainingSetup | null {
  const { root } = parseJson('', JSON.stringify(entry));
  return root === null ? null : readHfConfig('', root, []).setup;
}

/** The sizes of an entry, each with the zoo as its origin. */
export function setZooEntry(reader: ConfigReader, entry: ZooEntry): void {
  const { builder } = reader;
  const setup = zooSetup(entry);
  if (setup === null) return;
  builder.traits = setup.traits;
  const { name } = builder.sizes;
  Object.assign(builder.sizes, setup.sizes, { name: name ?? setup.sizes.name });
  for (const path of setup.fields.keys()) {
    if (path !== 'model.name') builder.fields.set(path, { origin: 'zoo', source: null });
  }
}
