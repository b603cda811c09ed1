/** What is generated from the table of settings: the manifest's section, and the schema of `meshlens.json`. */
import { TOOLS } from '../agents/tools';
import { ACCELERATORS } from '../engine/hardware/accelerators';
import { PLAN_KEYS } from '../engine/plan/keys';
import { PROBLEM_CODES } from '../engine/problem';
import { PLAN_KEY_WORDS } from '../words/keys';
import { translated } from '../words/language';
import { MANIFEST_WORDS, SCHEMA_ENGLISH } from './manifestWords';
import { MANIFEST_SLOVAK, SCHEMA_SLOVAK } from './manifestWords.sk';
import { CATEGORIES, KIND_NAMES, type SettingKey, SETTINGS, type SettingTypes } from './settingsTable';

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of each type of setting, as VS Code's settings editor takes it. */
const SCHEMAS: Readonly<Record<keyof SettingTypes, Schema>> = {
  flag: { type: 'boolean' },
  count: { type: ['integer', 'null'], minimum: 1 },
  amount: { type: ['number', 'null'], minimum: 0 },
  text: { type: 'string' },
  accelerator: { type: ['string', 'null'], enum: [...Object.keys(ACCELERATORS), null] },
  language: { type: 'string', enum: ['auto', 'en', 'sk'] },
  globs: { type: 'array', items: { type: 'string' } },
  kinds: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(KIND_NAMES).map(([kind, name]) => [kind, { type: 'boolean', default: true, description: name }]),
    ),
    additionalProperties: false,
  },
  severities: {
    type: 'object',
    properties: Object.fromEntries(
      Object.keys(PROBLEM_CODES).map(code => [
        code,
        { type: 'string', enum: ['error', 'warning', 'information', 'off'] },
      ]),
    ),
    additionalProperties: false,
  },
};

type Prefixed<Prefix extends string, Key extends string> = Readonly<Record<`${Prefix}.${Key}`, string>>;

function prefixed<Prefix extends string, Key extends string>(
  prefix: Prefix,
  keys: readonly Key[],
  word: (key: Key) => string,
): Prefixed<Prefix, Key> {
  return Object.fromEntries(keys.map(key => [`${prefix}.${key}`, word(key)])) as Prefixed<Prefix, Key>;
}

const names = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

const WORDS = translated(
  {
    ...MANIFEST_WORDS,
    ...prefixed('tool', names(TOOLS), name => TOOLS[name].title),
    ...prefixed('category', names(CATEGORIES), name => CATEGORIES[name]),
    ...prefixed('setting', names(SETTINGS), key => SETTINGS[key].description),
  },
  MANIFEST_SLOVAK,
);

const SCHEMA_WORDS = translated(SCHEMA_ENGLISH, SCHEMA_SLOVAK);

/** `package.nls.json` and `package.nls.sk.json`: the words of the manifest by their keys, in the present language. */
export const manifestWords = (): Readonly<Record<string, string>> =>
  Object.fromEntries(names(WORDS).map(key => [key, WORDS[key]]));

/** `contributes.configuration` of the manifest. */
export function configurationSection(): readonly Schema[] {
  return Object.keys(CATEGORIES).map((category, at) => ({
    title: `%category.${category}%`,
    order: at + 1,
    properties: Object.fromEntries(
      Object.entries(SETTINGS)
        .filter(([, entry]) => entry.category === category)
        .map(([key, entry], order) => [
          `meshlens.${key}`,
          {
            order: order + 1,
            ...SCHEMAS[entry.type],
            default: entry.default,
            scope: 'resource',
            markdownDescription: `%setting.${key}%`,
          },
        ]),
    ),
  }));
}

/** The schema of `meshlens.json`: the same keys as the settings of the cluster and of costs, and those of a plan. */
export function workspaceFileSchema(): Schema {
  const section = (category: string): Schema => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(SETTINGS).flatMap(([key, { category: own, type }]) =>
        own === category
          ? [[key.slice(category.length + 1), { ...SCHEMAS[type], description: WORDS[`setting.${key as SettingKey}`] }]]
          : [],
      ),
    ),
  });
  const values = { type: 'object', additionalProperties: false, properties: planProperties() };
  const cluster = section('cluster');
  const hardware = {
    type: 'string',
    description: SCHEMA_WORDS.hardware,
  };
  const files = {
    type: 'array',
    items: { type: 'string' },
    description: SCHEMA_WORDS.files,
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: SCHEMA_WORDS.title,
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      cluster,
      values,
      costs: section('costs'),
      hardware,
      overrides: {
        type: 'array',
        description: SCHEMA_WORDS.overrides,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['files'],
          properties: { files, cluster, values, hardware },
        },
      },
    },
  };
}

function planProperties(): Schema {
  return Object.fromEntries(
    Object.entries(PLAN_KEYS).map(([key, { type, values, min, max }]) => {
      const { title, meaning } = PLAN_KEY_WORDS[key as keyof typeof PLAN_KEYS];
      const limits = { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
      const schema = {
        integer: { type: 'integer', ...limits },
        number: { type: 'number', ...limits },
        boolean: { type: 'boolean' },
        enum: { enum: values ?? [] },
        text: { type: 'string' },
        integers: { type: 'array', items: { type: 'integer', minimum: 0 } },
      }[type];
      return [key, { ...schema, description: `${title}: ${meaning}` }];
    }),
  );
}

/** `contributes.languageModelTools` of the manifest. */
export function toolsSection(): readonly Schema[] {
  return Object.entries(TOOLS).map(([name, { description, inputSchema }]) => ({
    name,
    displayName: `%tool.${name}%`,
    modelDescription: description,
    inputSchema,
    canBeReferencedInPrompt: true,
    toolReferenceName: name.replaceAll('_', '-'),
    tags: ['meshlens', 'training', 'parallelism'],
  }));
}
