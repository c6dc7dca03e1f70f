// Completion of the profile: keys and values from its JSON Schema, paths from the payload.

import { contextAt, outline, selectorOf, selectorText } from './json.js';
import { element, prose } from './panels.js';

const MAX_PATHS = 300;
const MAX_SEARCHED = 100_000;
const MAX_SHOWN = 60;
/** The definitions of the schema whose strings are paths of the payload. */
const PATHS = new Set(['selector', 'path', 'keptMember', 'namedPath', 'requiredPath', 'wrapPath']);

/** The schema's keys and values for each path of a profile. */
export class ProfileSchema {
  constructor(root) {
    this.root = root;
  }

  /** All schemas that may apply to a path. */
  at(path) {
    let schemas = this.#expand(this.root);
    for (const step of path) {
      schemas = schemas.flatMap((schema) => {
        if (typeof step === 'number') return this.#expand(schema.items);
        const { properties = {}, additionalProperties } = schema;
        return this.#expand(Object.hasOwn(properties, step) ? properties[step] : additionalProperties);
      });
    }
    return schemas;
  }

  /** The completions at an offset: `{ start, end, items: [{ label, detail, text }] }`. */
  suggest(text, offset, payload) {
    const context = contextAt(text, offset);
    const found = new Map();
    const add = (label, detail, insert) => {
      if (!found.has(label)) found.set(label, { label, detail: detail ?? '', text: insert });
    };
    for (const schema of this.at(context.path)) {
      if (context.isKey) this.#keys(schema, context, payload, add);
      else this.#values(schema, payload, add);
    }
    const typed = context.typed.toLowerCase();
    const rank = ({ label }) => (label.toLowerCase().startsWith(typed) ? 0 : label.toLowerCase().includes(typed) ? 1 : 2);
    const items = [...found.values()].filter((item) => rank(item) < 2).sort((a, b) => rank(a) - rank(b));
    return { ...context, items: items.slice(0, MAX_SHOWN) };
  }

  #keys(schema, { keys, hasColon }, payload, add) {
    const colon = hasColon ? '' : ': ';
    for (const [key, value] of Object.entries(schema.properties ?? {})) {
      if (!keys.includes(key)) add(key, this.#description(value), JSON.stringify(key) + colon);
    }
    for (const { definition } of this.#expand(schema.propertyNames)) {
      for (const path of this.#paths(definition, payload)) {
        if (!keys.includes(path)) add(path, 'in the payload', JSON.stringify(path) + colon);
      }
    }
  }

  #values(schema, payload, add) {
    const { description } = schema;
    const values = schema.enum ?? ('const' in schema ? [schema.const] : schema.type === 'boolean' ? [true, false] : (schema.examples ?? []));
    for (const value of values) {
      add(String(value), value === schema.default ? 'the default' : description, JSON.stringify(value));
    }
    for (const path of this.#paths(schema.definition, payload)) add(path, 'in the payload', JSON.stringify(path));
    if (values.length > 0) return;
    if (schema.type === 'object') add('{ }', description, '{}');
    if (schema.type === 'array') add('[ ]', description, '[]');
  }

  /** The payload's keys and paths, as far as the definition allows them. */
  #paths(definition, payload) {
    if (!PATHS.has(definition)) return [];
    const paths = new Set();
    for (const { path, key } of outline(payload.slice(0, MAX_SEARCHED))) {
      if (paths.size > MAX_PATHS) break;
      if (path.length === 0) continue;
      if ((definition === 'selector' || definition === 'keptMember') && key) paths.add(selectorText(key.name));
      paths.add(selectorOf(path));
    }
    return [...paths].sort();
  }

  #description(schema) {
    return schema.description ?? this.#expand(schema).find(({ description }) => description)?.description;
  }

  /** A schema with its references and alternatives as a list of schemas. */
  #expand(schema, definition, description) {
    if (typeof schema !== 'object') return [];
    const said = schema.description ?? description;
    const own = { ...schema, definition, description: said };
    const expanded = [own];
    if (schema.$ref) {
      const name = schema.$ref.split('/').at(-1);
      expanded.push(...this.#expand(this.root.$defs[name], name, said));
    }
    for (const alternative of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
      expanded.push(...this.#expand(alternative, undefined, said));
    }
    return expanded;
  }
}

/** The list of completions at the cursor of an editor. The focus stays in the editor. */
export class CompletionList {
  #editor;
  #list;
  #suggest;
  #found;
  #chosen = -1;

  constructor(editor, list, suggest) {
    this.#editor = editor;
    this.#list = list;
    this.#suggest = suggest;
    editor.area.setAttribute('aria-controls', list.id);
    editor.area.addEventListener('keydown', (event) => this.#key(event), { capture: true });
    editor.area.addEventListener('input', (event) => this.#typed(event));
    for (const kind of ['blur', 'click']) editor.area.addEventListener(kind, () => this.close());
    editor.area.addEventListener('scroll', () => list.hidden || this.#place(this.#found.start));
    // The focus stays in the editor.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    list.addEventListener('click', (event) => {
      const option = event.target.closest('li');
      if (option) this.#accept([...list.children].indexOf(option));
    });
  }

  open(isAsked = true) {
    const { text, offset } = this.#editor;
    this.#found = this.#suggest(text, offset);
    const { items, typed } = this.#found;
    const isWritten = items.length === 1 && items[0].label === typed;
    if (items.length === 0 || (isWritten && !isAsked)) return this.close();
    this.#list.replaceChildren(...items.map((item, index) => this.#option(item, index)));
    this.#list.hidden = false;
    this.#place(this.#found.start);
    this.#choose(isAsked || typed !== '' ? 0 : -1);
  }

  close() {
    this.#list.hidden = true;
    this.#editor.area.removeAttribute('aria-activedescendant');
  }

  #option({ label, detail }, index) {
    const option = element('li', '', element('b', '', label), element('span', '', ...prose(detail)));
    option.id = `suggestion-${index}`;
    option.setAttribute('role', 'option');
    return option;
  }

  #place(offset) {
    const { top, left, height } = this.#editor.position(offset);
    const box = this.#editor.area.getBoundingClientRect();
    const list = this.#list.getBoundingClientRect();
    const x = Math.max(8, Math.min(box.left + left, document.documentElement.clientWidth - list.width - 8));
    let y = box.top + top + height + 4;
    if (y + list.height > innerHeight && y - height - list.height - 8 > 0) y -= height + list.height + 8;
    this.#list.style.left = `${x + scrollX}px`;
    this.#list.style.top = `${y + scrollY}px`;
  }

  #choose(index) {
    this.#chosen = index;
    [...this.#list.children].forEach((option, at) => option.setAttribute('aria-selected', String(at === index)));
    const option = this.#list.children[index];
    if (!option) return this.#editor.area.removeAttribute('aria-activedescendant');
    this.#editor.area.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  }

  #accept(index) {
    const { start, end, isKey, items } = this.#found;
    this.close();
    const { text } = items[index];
    this.#editor.replace(start, end, text);
    const { area, offset } = this.#editor;
    if (text === '{}' || text === '[]') area.setSelectionRange(offset - 1, offset - 1);
    if (isKey && text.endsWith(' ')) this.open(false);
    else this.close();
  }

  #typed({ inputType, data }) {
    // The second quote of a string ends it.
    if (data === '"' && !contextAt(this.#editor.text, this.#editor.offset).isOpen) return this.close();
    if (inputType === 'insertText' && data && /["\w/*]/.test(data)) this.open(false);
    else if (!this.#list.hidden && inputType?.startsWith('delete')) this.open(false);
    else this.close();
  }

  #key(event) {
    if (event.ctrlKey && event.code === 'Space') {
      event.preventDefault();
      return this.open();
    }
    if (this.#list.hidden || event.isComposing) return;
    const count = this.#list.children.length;
    if (event.key === 'ArrowDown') this.#choose((this.#chosen + 1) % count);
    else if (event.key === 'ArrowUp') this.#choose((Math.max(this.#chosen, 0) - 1 + count) % count);
    else if (event.key === 'Enter' && this.#chosen >= 0 && !event.ctrlKey) this.#accept(this.#chosen);
    else if (event.key === 'Escape') this.close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
