// A text area over a copy of its text. The copy shows the colours and the marks. The text area handles editing, undo and selection.

import { contextAt, tokens } from './json.js';

/** A longer text has no colours and no marks. */
const MAX_COLOURED = 100_000;

export class Editor {
  #copy;
  /** Ranges in the copy that have a colour, and those that have a mark. */
  #colours = [];
  #marks = [];
  #scrolled = { top: 0, left: 0 };
  #isReadOnly;

  /** @param area the text area; the element before it is the copy. */
  constructor(area, { onInput = () => {}, onMove = () => {} } = {}) {
    this.area = area;
    this.#copy = area.previousElementSibling;
    this.#isReadOnly = area.getAttribute('aria-readonly') === 'true';
    // Not `readonly`: that would remove the cursor for the keyboard.
    area.addEventListener('beforeinput', (event) => (this.#isReadOnly ? event.preventDefault() : this.#pairQuotes(event)));
    area.addEventListener('input', () => {
      this.#paint();
      onInput();
    });
    area.addEventListener('scroll', () => this.#follow());
    area.addEventListener('keydown', (event) => this.#indentLine(event));
    area.addEventListener('click', () => onMove());
    area.addEventListener('keyup', ({ key }) => /^(Arrow|Home|End|Page)/.test(key) && onMove());
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    if (this.area.value === text) return;
    this.area.value = text;
    this.#paint();
  }

  get offset() {
    return this.area.selectionStart;
  }

  /** Marks parts of the text: `{ start, end, kind }`, where the kind is a name in the style sheet. */
  mark(marks) {
    const parts = marks.flatMap((mark) => linesOf(this.text, mark));
    this.#marks = this.#replace(this.#marks, this.area.classList.contains('plain') ? [] : parts);
  }

  /** Replaces a part of the text, so that it can be undone. */
  replace(start, end, text) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    if (!document.execCommand(text === '' ? 'delete' : 'insertText', false, text)) {
      this.area.setRangeText(text, start, end, 'end');
      this.area.dispatchEvent(new Event('input'));
    }
  }

  /** Moves the cursor, and scrolls it into view. */
  reveal(start, end = start) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    const { top, left } = this.position(start);
    const { clientHeight, clientWidth } = this.area;
    if (top < 0 || top > clientHeight - 30) this.area.scrollTop += top - clientHeight / 3;
    if (left < 0 || left > clientWidth - 30) this.area.scrollLeft += left - clientWidth / 3;
  }

  /** The position of a character in pixels from the top left corner of the text area, and the height of its line. */
  position(offset) {
    const style = getComputedStyle(this.area);
    const before = this.text.slice(0, offset);
    const start = before.lastIndexOf('\n') + 1;
    const line = before.split('\n').length - 1;
    const height = parseFloat(style.lineHeight);
    const canvas = (Editor.#canvas ??= document.createElement('canvas').getContext('2d'));
    canvas.font = `${style.fontSize} ${style.fontFamily}`;
    const width = canvas.measureText(before.slice(start).replaceAll('\t', '  ')).width;
    return {
      top: parseFloat(style.paddingTop) + line * height - this.area.scrollTop,
      left: parseFloat(style.paddingLeft) + width - this.area.scrollLeft,
      height,
    };
  }

  static #canvas;

  /** Gives a new line the indentation of the last one, and more after an open bracket. */
  #indentLine(event) {
    const { key, ctrlKey, altKey, metaKey, isComposing, defaultPrevented } = event;
    if (key !== 'Enter' || ctrlKey || altKey || metaKey || isComposing || defaultPrevented || this.#isReadOnly) return;
    const before = this.text.slice(0, this.offset);
    const [indent] = before.slice(before.lastIndexOf('\n') + 1).match(/^[ \t]*/);
    const deeper = /[{[]\s*$/.test(before) ? '  ' : '';
    if (indent + deeper === '') return;
    event.preventDefault();
    this.replace(this.area.selectionStart, this.area.selectionEnd, `\n${indent}${deeper}`);
  }

  /** Adds the closing quote to a typed quote, so that the rest of the line does not become a string. Deleting one deletes both. */
  #pairQuotes(event) {
    const { selectionStart: start, selectionEnd: end } = this.area;
    const [before, after] = [this.text[start - 1], this.text[end]];
    if (event.inputType === 'deleteContentBackward' && start === end && before === '"' && after === '"' && this.text[start - 2] !== '\\') {
      event.preventDefault();
      this.replace(start - 1, start + 1, '');
    } else if (event.inputType === 'insertText' && event.data === '"' && before !== '\\') {
      const isWithin = contextAt(this.text, start).isOpen;
      if (isWithin && after !== '"') return;
      event.preventDefault();
      if (!isWithin) this.replace(start, end, '""');
      this.area.setSelectionRange(start + 1, start + 1);
      // The listeners were called while the cursor was behind both quotes, so they are called again.
      this.area.dispatchEvent(new InputEvent('input', event));
    }
  }

  #follow() {
    this.#scrolled = { top: this.area.scrollTop, left: this.area.scrollLeft };
    this.#copy.scrollTo(this.#scrolled);
  }

  /** Copies the text and colours it. Removes the marks of the old text. */
  #paint() {
    const { text } = this;
    const isPlain = !CSS.highlights || text.length > MAX_COLOURED;
    this.area.classList.toggle('plain', isPlain);
    this.#marks = this.#replace(this.#marks, []);
    // A last line without characters would have no height.
    this.#copy.textContent = isPlain ? '' : `${text}\n `;
    this.#colours = this.#replace(this.#colours, isPlain ? [] : [...colours(text)]);
    // Without this condition the browser would compute the layout twice, now and later.
    if (this.#scrolled.top + this.#scrolled.left > 0) this.#copy.scrollTo(this.#scrolled);
  }

  /** Replaces highlighted ranges by others: `{ start, end, kind }`. */
  #replace(old, parts) {
    for (const { kind, range } of old) highlight(kind).delete(range);
    const node = this.#copy.firstChild;
    return parts.map(({ start, end, kind }) => {
      const range = new StaticRange({ startContainer: node, startOffset: start, endContainer: node, endOffset: end });
      highlight(kind).add(range);
      return { kind, range };
    });
  }
}

/** The coloured parts of a text: keys, strings, punctuation and all other words. */
function* colours(text) {
  for (const { kind, start, end } of tokens(text)) {
    if (kind === 'word') yield { kind, start, end };
    else if (kind !== 'string') yield { kind: 'punctuation', start, end };
    else yield { kind: /^\s*:/.test(text.slice(end, end + 9)) ? 'key' : 'string', start, end };
  }
}

/** The lines of a part of the text, each without its indentation. */
function linesOf(text, { start, end, kind }) {
  const lines = text.slice(start, end).matchAll(/[^\s].*/g);
  return Array.from(lines, ({ index, 0: line }) => ({ start: start + index, end: start + index + line.length, kind }));
}

/** The highlight of a kind, which all editors share. */
function highlight(kind) {
  if (!CSS.highlights.has(kind)) {
    const made = new Highlight();
    made.priority = ['effect', 'chosen', 'warning', 'error'].indexOf(kind) + 1;
    CSS.highlights.set(kind, made);
  }
  return CSS.highlights.get(kind);
}
