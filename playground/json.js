// A reader of JSON text with positions, for text that is still being written: missing or wrong parts do not hide the rest.

const PATTERN = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gu;

/** The tokens of a text: strings, punctuation, and words. Every other text is a word. */
export function* tokens(text) {
  for (const match of text.matchAll(PATTERN)) {
    const [word] = match;
    const kind = word[0] === '"' ? 'string' : '{}[],:'.includes(word) ? word : 'word';
    yield { kind, start: match.index, end: match.index + word.length, text: word };
  }
}

/** The content of a string's token. */
function content(token) {
  try {
    return JSON.parse(token.text);
  } catch {
    return token.text.replace(/^"|"$/g, '');
  }
}

/** Follows the tokens and tracks the open containers. */
class Walk {
  nodes = [];
  open = [];
  documents = 0;

  get container() {
    return this.open.at(-1);
  }

  /** Whether the next string is a key. */
  get awaitsKey() {
    return this.container?.kind === '{' && !this.container.key;
  }

  /** The path of the next value. */
  get nextPath() {
    const { container } = this;
    if (!container) return [];
    return [...container.node.path, container.kind === '{' ? (container.key?.name ?? '') : container.count];
  }

  take(token) {
    const { container } = this;
    switch (token.kind) {
      case '{':
      case '[':
        this.open.push({ kind: token.kind, node: this.#add(token), count: 0 });
        break;
      case '}':
      case ']':
        if (container) this.open.pop().node.end = token.end;
        break;
      case ',':
        if (container) container.key = undefined;
        break;
      case ':':
        break;
      default:
        if (token.kind === 'string' && this.awaitsKey) {
          container.key = { name: content(token), start: token.start, end: token.end };
        } else {
          this.#add(token);
        }
    }
  }

  #add(token) {
    const { container } = this;
    const node = { path: this.nextPath, key: container?.key, start: token.start, end: token.end, parent: container?.node, document: 0 };
    node.document = container ? container.node.document : this.documents++;
    if (container) {
      container.count += 1;
      container.key = undefined;
    }
    this.nodes.push(node);
    return node;
  }
}

/** The engine refuses more open objects and arrays. Each value has a path, so their memory would grow with the square of the depth. */
const MAX_DEPTH = 600;

/** All values of a text in order, with their paths, their positions and the positions of their keys. Ends where the text is too deep. */
export function outline(text) {
  const walk = new Walk();
  for (const token of tokens(text)) {
    walk.take(token);
    if (walk.open.length > MAX_DEPTH) break;
  }
  for (const container of walk.open) container.node.end = text.length;
  return walk.nodes;
}

/** The innermost value at an offset. The value's key counts as part of it. */
export function nodeAt(nodes, offset) {
  let found;
  for (const node of nodes) {
    if ((node.key ?? node).start > offset) break;
    if (offset <= node.end) found = node;
  }
  return found;
}

/** The context for a completion at an offset: a key or a value, its path, and the token to replace. */
export function contextAt(text, offset) {
  const walk = new Walk();
  let current;
  for (const token of tokens(text)) {
    if (token.start >= offset) break;
    const isText = token.kind === 'string' || token.kind === 'word';
    const isOpen = token.kind === 'string' && (token.text.length === 1 || !token.text.endsWith('"'));
    if (isText && (offset < token.end || (offset === token.end && (token.kind === 'word' || isOpen)))) {
      current = token;
      break;
    }
    walk.take(token);
    if (walk.open.length > MAX_DEPTH) break;
  }
  const { container } = walk;
  const isKey = walk.awaitsKey;
  const siblings = container
    ? outline(text).filter((node) => node.parent?.start === container.node.start && node.key?.start !== current?.start)
    : [];
  return {
    isKey,
    path: isKey ? container.node.path : walk.nextPath,
    start: current?.start ?? offset,
    end: current?.end ?? offset,
    isOpen: current?.kind === 'string' && offset > current.start,
    typed: current ? text.slice(current.start, offset).replace(/^"/, '') : '',
    hasColon: /^\s*:/.test(text.slice(current?.end ?? offset)),
    keys: siblings.map((node) => node.key?.name),
  };
}

/** A path as an RFC 6901 pointer. */
export const pointerOf = (path) => path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** A path as a selector, with `*` for each index. */
export const selectorOf = (path) =>
  path.map((step) => (typeof step === 'number' ? '/*' : `/${selectorText(step)}`)).join('');

export const selectorText = (key) => key.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('*', '~2');

const encoder = new TextEncoder();

/** The offset in a string of a line and column. Both count from 1, and the column counts bytes. */
export function offsetOf(text, line, column) {
  let start = 0;
  for (let passed = 1; passed < line; passed++) {
    const feed = text.indexOf('\n', start);
    if (feed < 0) return text.length;
    start = feed + 1;
  }
  let bytes = column - 1;
  let offset = start;
  while (bytes > 0 && offset < text.length) {
    const character = String.fromCodePoint(text.codePointAt(offset));
    bytes -= encoder.encode(character).length;
    offset += character.length;
  }
  return offset;
}

/** The token that begins at or contains an offset. Behind the last token, the last character. */
export function tokenAt(text, offset) {
  for (const token of tokens(text)) {
    if (token.end > offset) {
      if (token.start <= offset) return token;
      break;
    }
  }
  const end = Math.min(text.length, offset + 1);
  return { start: Math.max(0, Math.min(offset, end - 1)), end };
}
