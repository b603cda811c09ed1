/**
 * The page as data. Sections are functions from the state to nodes; `patch` makes the document look like them and
 * changes only what differs, so that focus, scrolling and open disclosures survive a new state. Text only ever becomes
 * text nodes and attribute values, never markup.
 */

export interface VNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Applied through the CSSOM: the page's security policy forbids style attributes. */
  readonly style: Readonly<Record<string, string>>;
  readonly children: readonly Child[];
}

export type Child = VNode | string;
type Content = Child | null | false | undefined | readonly Content[];
type AttributeValue = string | number | boolean | null | undefined;

type Attributes = Readonly<Record<string, AttributeValue>>;

/** A node with an id keeps its element from one state to the next wherever it stands among its siblings. */
export function h(tag: string, attributes: Attributes = {}, ...content: readonly Content[]): VNode {
  const texts = Object.entries(attributes).flatMap(([name, value]): [string, string][] =>
    value === false || value === null || value === undefined ? [] : [[name, value === true ? '' : String(value)]],
  );
  return { tag, attributes: Object.fromEntries(texts), style: {}, children: flatten(content) };
}

export function styled(style: VNode['style'], node: VNode): VNode {
  return { ...node, style };
}

function flatten(content: readonly Content[]): Child[] {
  return content.flatMap((item): Child[] => {
    if (item === null || item === undefined || item === false) return [];
    return isList(item) ? flatten(item) : [item];
  });
}

function isList(item: Content): item is readonly Content[] {
  return Array.isArray(item);
}

/** The node that each element was last made from: the difference to it is what changes, and nothing else. */
const sources = new WeakMap<Node, VNode>();

export function patch(parent: Element, children: readonly Child[]): void {
  const ids = new Set(children.map(idOf));
  for (const old of [...parent.children]) {
    if (old.id !== '' && !ids.has(old.id)) old.remove();
  }
  let place = parent.firstChild;
  for (const child of children) {
    const node = reusable(parent, place, child) ?? create(child);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    update(node, child);
  }
  while (place !== null) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function idOf(child: Child): string {
  return typeof child === 'string' ? '' : (child.attributes['id'] ?? '');
}

function reusable(parent: Element, place: ChildNode | null, child: Child): ChildNode | null {
  const id = idOf(child);
  if (id !== '') return [...parent.children].find(element => element.id === id) ?? null;
  if (place === null) return null;
  if (typeof child === 'string') return place.nodeType === Node.TEXT_NODE ? place : null;
  const fits = place instanceof Element && place.id === '' && place.localName === child.tag;
  return fits ? place : null;
}

function create(child: Child): ChildNode {
  return typeof child === 'string' ? document.createTextNode('') : document.createElement(child.tag);
}

function update(node: ChildNode, child: Child): void {
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = node as HTMLElement;
  const before = sources.get(element);
  for (const name of Object.keys(before?.attributes ?? {})) {
    if (!(name in child.attributes)) element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(child.attributes)) {
    if (before?.attributes[name] !== value) element.setAttribute(name, value);
  }
  for (const [name, value] of Object.entries(child.style)) {
    if (before?.style[name] !== value) element.style.setProperty(name, value);
  }
  reflect(element, child.attributes);
  sources.set(element, child);
  // What draws itself keeps what it has drawn.
  if (!('data-own' in child.attributes)) patch(element, child.children);
}

/** What the user has moved, ticked or chosen no longer follows its attribute: the property has to. */
function reflect(element: HTMLElement, attributes: VNode['attributes']): void {
  if (element instanceof HTMLInputElement) {
    const { value } = attributes;
    if (value !== undefined && element.value !== value) element.value = value;
    if (element.type === 'checkbox') element.checked = 'checked' in attributes;
  } else if (element instanceof HTMLOptionElement && 'selected' in attributes) element.selected = true;
}
