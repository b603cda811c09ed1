/** What people read stands in modules of words with its Slovak beside it, and not in the code that shows it. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/** Words alone, what a person never sees, and what is English by its nature: the lecture's own printed lines. */
const LEFT_OUT = /[wW]ords\.ts$|\.sk\.ts$|\.test\.ts$|^src\/words\/|settingsTable\.ts$|^src\/documents\/lecture\.ts$/;

/** Two words beside each other, or one word where a property shows it. */
const SENTENCE = /\p{L}{2,}[,:.…]? \p{L}{2,}/u;
const SHOWN = new Set([
  'title',
  'label',
  'description',
  'detail',
  'placeHolder',
  'prompt',
  'tooltip',
  'textContent',
  'aria-label',
]);

/** Texts that no person reads: faults of ours, names of modules, types, what goes to the log. */
function isHidden(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isImportDeclaration(at) || ts.isTypeNode(at)) return true;
    if (ts.isNewExpression(at) && /Error$/.test(at.expression.getText())) return true;
    if (ts.isCallExpression(at) && /^(console\.\w+|invariant|require)$/.test(at.expression.getText())) return true;
  }
  return false;
}

const files = (folder: string, ending: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(file => `${folder}/${file}`)
    .filter(file => file.endsWith(ending));

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const CLASSES = new Set(
  files('webview', '.css').flatMap(file =>
    Array.from(read(file).matchAll(/\.([a-z][\w-]*)/g), ([, name]) => name ?? ''),
  ),
);

/** Classes that only the page's own code looks for. */
const UNSTYLED = new Set(['explorer-count', 'explorer-hint', 'chart']);

/** Without our own name, icons, keys of the manifest's words, tags, functions of CSS, the lecture's own names of passes. */
const wordsOf = (text: string): string =>
  text
    .replace(
      /MeshLens|\$\(\w+\)|%\w+\.…%|page-\w+|<[^>]*>|color-mix\(.*\)|\(prefers-[^)]*\)|^(forward|backward) pass$/gs,
      '',
    )
    .trim();

const isClasses = (text: string): boolean => text.split(' ').every(word => CLASSES.has(word) || UNSTYLED.has(word));

const textOf = (node: ts.Node): string | null => {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  return ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
    : null;
};

function literalsIn(file: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = wordsOf(textOf(node) ?? '');
    const property =
      ts.isPropertyAssignment(node.parent) && node.parent.initializer === node
        ? node.parent.name.getText().replaceAll("'", '')
        : '';
    const shown = SENTENCE.test(text) || (SHOWN.has(property) && /\p{L}{3}/u.test(text));
    if (shown && !isClasses(text) && !isHidden(node)) found.push(`${file}: ${text}`);
    ts.forEachChild(node, visit);
  };
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  ts.forEachChild(parsed, visit);
  return found;
}

describe('words', () => {
  it('stand in their modules alone', () => {
    const sources = ['src/extension', 'src/documents', 'src/worker', 'webview'].flatMap(folder => files(folder, '.ts'));
    const found = sources.filter(file => !LEFT_OUT.test(file)).flatMap(file => literalsIn(file, read(file)));
    assert.deepEqual(found, []);
  });

  it('are found where they stand elsewhere', () => {
    const source = [
      "vscode.window.showWarningMessage('MeshLens: it does not fit.');",
      "const box = { title: 'Setup', kind: 'setup' };",
      "h('p', { class: 'note' }, `${count} more files`);",
      "throw new Error('a fault of ours');",
    ].join('\n');
    assert.deepEqual(literalsIn('x.ts', source), ['x.ts: : it does not fit.', 'x.ts: Setup', 'x.ts: … more files']);
  });
});
