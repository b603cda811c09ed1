/** A model that a training file names by its hub id, from the table of known models. */
import { zooEntry } from '../../model/zoo';
import type { SourceRange } from '../../problem';
import type { SetupBuilder } from '../../setup/setup';
import { readHfConfig } from '../hf/read';
import { parseJson } from '../json';

/** Fills the sizes that are still unknown; false where the table has no such model. */
export function fillFromHub(builder: SetupBuilder, id: string, source: SourceRange | null): boolean {
  if (builder.sizes.name === null) builder.setModel('name', id, 'file', source);
  const entry = zooEntry(id);
  if (entry === null) return false;
  const { root } = parseJson('', JSON.stringify(entry));
  const setup = root === null ? null : readHfConfig('', root, []).setup;
  if (setup === null) return false;
  builder.traits = setup.traits;
  for (const path of setup.fields.keys()) {
    const key = path.slice('model.'.length) as keyof typeof setup.sizes;
    if (path.startsWith('model.') && builder.sizes[key] === null) {
      builder.setModel(key, setup.sizes[key] as never, 'zoo', null);
    }
  }
  return true;
}
