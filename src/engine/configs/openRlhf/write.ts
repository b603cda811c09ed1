/** A plan as options of OpenRLHF's launch scripts, in the names of the release that the script is for. */
import type { TextEdit } from '../../problem';
import { placeChanges, type Target, type Writing } from '../placeChanges';
import { type Path, type Place } from '../places';
import { optionEdits } from '../shell/optionEdits';
import { optionTree } from '../shell/optionTree';
import { readScript } from '../shell/script';
import { isOldRelease, LENGTH, MICRO, openRlhfCommand, PLACES, RANK_PLACE } from './read';

export function writeOpenRlhf(target: Target, next: Omit<Writing, 'root'>): TextEdit[] {
  const { file, text, beside = [] } = target;
  const command = openRlhfCommand(readScript(file, text, beside).commands);
  if (command === undefined) return [];
  const root = optionTree(command);
  const isOld = isOldRelease(root);
  const module = command.flags.flatMap(({ words }) => words).find(each => each.text?.includes('openrlhf.cli.'))?.text;
  const places = [...PLACES, MICRO, LENGTH, RANK_PLACE].map(place => inNames(place, isOld, module?.includes('_ppo')));
  const changes = placeChanges({ ...next, root }, places);
  return optionEdits(target, changes, { pick: openRlhfCommand, word, switches: true });
}

/** The release's name of an option first: newer ones have dots; in runs by reinforcement the model is the actor. */
function inNames(place: Place, isOld: boolean, isActor = false): Place {
  const fits = (name: string) => (isOld ? !name.includes('.') : isActor && name.startsWith('actor.'));
  return { ...place, at: [...place.at.filter(fits), ...place.at.filter(name => !fits(name))] };
}

const word = (path: Path, value: string | number | boolean): string =>
  value === true ? `--${path.join('.')}` : `--${path.join('.')} ${value}`;
