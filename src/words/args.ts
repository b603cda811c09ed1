/** Arguments of a sentence as text. */
import type { Args } from '../engine/problem';
import { formatBytes, formatInteger, formatPercent, formatSeconds } from './format';
import { translated } from './language';

type Value = Args[string] | undefined;

const UNKNOWN = translated({ word: 'unknown' }, { word: 'neznáme' });

export type Sentence = (args: Args) => string;

/** As the file or the engine spells it. */
export const text = (value: Value): string => (value === null || value === undefined ? UNKNOWN.word : String(value));

export const int = (value: Value): string => (typeof value === 'number' ? formatInteger(value) : text(value));
export const bytes = (value: Value): string => (typeof value === 'number' ? formatBytes(value) : text(value));
export const time = (value: Value): string => (typeof value === 'number' ? formatSeconds(value) : text(value));
export const percent = (value: Value): string => (typeof value === 'number' ? formatPercent(value) : text(value));
