// The page: its state, and its reactions to changes.

import { CompletionList, ProfileSchema } from './completion.js';
import { Converter, serve } from './converter.js';
import { Editor } from './editor.js';
import { effectsOfRule, explainValue, marksOf, nodeFor } from './explain.js';
import { offsetOf, tokenAt } from './json.js';
import { element, showMessages, showRules, showSizes, showValue } from './panels.js';
import { decode, encode, through } from './state.js';

const TYPING_MILLISECONDS = 120;
const LINK_MILLISECONDS = 400;
/** A text area with many thousands of lines takes the browser seconds. */
const MAX_SHOWN = 100_000;

const get = (id) => document.getElementById(id);
const data = (id) => JSON.parse(get(id).textContent);

class Page {
  #converter = new Converter();
  #editors;
  #examples = data('example-profiles');
  #messages = { profile: [], payload: [], output: [] };
  #explanation;
  #output = '';
  #isCut = false;
  #fragment = '';
  /** The payload before the direction was changed, and the one that took its place. */
  #swapped;
  #runTimer;
  #linkTimer;

  async start() {
    const onInput = () => this.#changed();
    this.#editors = {
      profile: new Editor(get('profile'), { onInput, onMove: () => this.#explainRuleAtCursor() }),
      payload: new Editor(get('payload'), { onInput, onMove: () => this.#explainAtCursor('payload') }),
      output: new Editor(get('output'), { onMove: () => this.#explainAtCursor('output') }),
    };
    const schema = new ProfileSchema(data('profile-schema'));
    new CompletionList(this.#editors.profile, get('suggestions'), (text, offset) => schema.suggest(text, offset, this.#namedPayload));
    this.#prepareControls();
    const binary = atob(get('engine-module').textContent);
    const bytes = await through(Uint8Array.from(binary, (character) => character.charCodeAt(0)), new DecompressionStream('gzip'));
    await this.#converter.start(await WebAssembly.compile(bytes), get('program').textContent);
    document.documentElement.dataset.engine = this.#converter.isInWorker ? 'worker' : 'page';
    if (!(await this.#readFragment())) await this.#useExample(0);
    addEventListener('hashchange', () => location.hash !== this.#fragment && this.#readFragment());
  }

  // MARK: State

  get #direction() {
    return document.querySelector('input[name=direction]:checked').value;
  }

  get #state() {
    return { profile: this.#editors.profile.text, payload: this.#editors.payload.text, direction: this.#direction, framing: get('framing').value };
  }

  /** Selectors name the input of the forward direction. */
  get #namedPayload() {
    return this.#direction === 'forward' ? this.#editors.payload.text : this.#editors.output.text;
  }

  #use({ profile, payload, direction, framing }) {
    this.#swapped = undefined;
    document.querySelector(`input[name=direction][value=${direction}]`).checked = true;
    get('framing').value = framing;
    this.#editors.profile.text = profile;
    this.#editors.payload.text = payload;
    this.#showOutput('');
    showRules(get('rules'), undefined);
    this.#changed(0);
  }

  async #useExample(index) {
    const { profile, payload } = this.#examples[index];
    const { text = payload } = await this.#converter.indent({ payload, framing: 'document' });
    this.#use({ profile, payload: text, direction: 'forward', framing: 'document' });
    get('example').value = String(index);
  }

  /** Returns whether the fragment has a state. */
  async #readFragment() {
    this.#notify('');
    try {
      const state = await decode(location.hash);
      if (!state) return false;
      this.#fragment = location.hash;
      get('example').value = '';
      this.#use(state);
      return true;
    } catch {
      this.#notify('This link is damaged: its profile and payload cannot be read. Copy the whole link again.');
      return false;
    }
  }

  async #writeFragment() {
    const fragment = await encode(this.#state);
    this.#fragment = fragment;
    history.replaceState(null, '', fragment || location.pathname + location.search);
    return fragment !== '';
  }

  #changed(delay = TYPING_MILLISECONDS) {
    clearTimeout(this.#runTimer);
    clearTimeout(this.#linkTimer);
    this.#runTimer = setTimeout(() => this.#run(), delay);
    this.#linkTimer = setTimeout(() => this.#writeFragment(), LINK_MILLISECONDS);
  }

  // MARK: Conversion

  async #run() {
    const state = this.#state;
    const result = await this.#converter.run({ ...state, isIndented: get('indented').checked });
    // The state has changed, and a newer request follows.
    if (!result || state.profile !== this.#editors.profile.text || state.payload !== this.#editors.payload.text) return;
    const { report, error, output = '', shown = '', sizes, skipped } = result;
    this.#output = output;
    // Text that is still being written has errors. The last output stays visible, without colours.
    if (!error) this.#showOutput(shown, sizes);
    get('result').classList.toggle('failed', error !== undefined);
    this.#findMessages(report, error, skipped);
    for (const side of Object.keys(this.#messages)) this.#showMessages(side);
    // The rules of the last report stay visible, without colours. No value is explained by them, because the profile is another one.
    this.#explanation = report?.explanation;
    if (report) {
      get('reversible').textContent = report.invertible ? 'reversible' : 'one way';
      showRules(get('rules'), this.#explanation, (group) => this.#chooseRule(group));
    }
    this.#announce(error);
    document.documentElement.dataset.runs = String(Number(document.documentElement.dataset.runs ?? 0) + 1);
  }

  #showOutput(text, sizes) {
    const end = text.length > MAX_SHOWN ? Math.max(text.lastIndexOf('\n', MAX_SHOWN), 1) : text.length;
    this.#isCut = end < text.length;
    this.#editors.output.text = text.slice(0, end);
    showSizes(get('sizes'), sizes);
    get('value').replaceChildren(element('p', 'quiet', 'Click a value in the payload or in the output, or move the cursor to it.'));
  }

  #findMessages(report, error, skipped) {
    const { profile, payload } = this.#editors;
    const located = (editor, kind) => ({ line, column, message, hint }) => {
      const place = line ? tokenAt(editor.text, offsetOf(editor.text, line, column)) : {};
      return { kind, text: message, hint, line, column, start: place.start, end: place.end };
    };
    const faults = error?.code === 'profile' ? (error.faults ?? [error]) : [];
    this.#messages = {
      profile: [
        ...faults.map(located(profile, 'error')),
        ...(report?.failedExamples ?? []).map(located(profile, 'error')),
        ...(report?.warnings ?? []).map(located(profile, 'warning')),
        ...(report?.losses ?? []).map(located(profile, 'note')),
        ...(report?.conditions ?? []).map(located(profile, 'note')),
      ],
      payload: error && error.code !== 'profile' ? [located(payload, 'error')(error)] : [],
      output: error && this.#editors.output.text !== '' ? [{ kind: 'note', text: 'this is from before the error' }] : [],
    };
    if (this.#isCut) this.#messages.output.push({ kind: 'note', text: 'only the beginning is shown; Copy takes all' });
    if (skipped > 0) this.#messages.output.push({ kind: 'note', text: `${skipped} bad record${skipped > 1 ? 's' : ''} skipped or replaced by null` });
  }

  #showMessages(side) {
    const editor = this.#editors[side];
    const go = ({ start, end }) => editor.reveal(start, end);
    showMessages(get(`${side}-messages`), this.#messages[side], go);
    editor.area.setAttribute('aria-invalid', String(this.#messages[side].some(({ kind }) => kind === 'error')));
    this.#mark(side, []);
  }

  #mark(side, marks) {
    const own = this.#messages[side].filter(({ kind, start }) => kind !== 'note' && start !== undefined);
    this.#editors[side].mark([...marks, ...own]);
  }

  #announce(error) {
    const { profile, payload } = this.#messages;
    const count = [...profile, ...payload].filter(({ kind }) => kind === 'error').length;
    const first = [...profile, ...payload].find(({ kind }) => kind === 'error');
    this.#say(error ? `${count} error${count === 1 ? '' : 's'}. ${first?.line ? `Line ${first.line}: ` : ''}${first?.text ?? error.message}` : 'Converted.');
  }

  // MARK: Explanations

  #explainAtCursor(side) {
    const { text, offset } = this.#editors[side];
    const other = side === 'payload' ? 'output' : 'payload';
    const otherText = other === 'output' && this.#isCut ? undefined : this.#editors[other].text;
    const found = explainValue(this.#explanation, side, text, offset, otherText);
    if (!found) return;
    const go = (pointer) => {
      const node = nodeFor(this.#editors[other].text, pointer);
      if (node) this.#editors[other].reveal(node.start, node.end);
      this.#explainAtCursor(other);
    };
    showValue(get('value'), found, side, (group) => this.#chooseRule(group), go);
    const end = found.other === undefined ? undefined : nodeFor(this.#editors[other].text, found.other);
    this.#mark(side, [this.#chosen(found.node)]);
    this.#mark(other, end ? [this.#chosen(end)] : []);
    const rules = [...found.effects, ...found.around].map(({ pointer }) => nodeFor(this.#editors.profile.text, pointer));
    this.#mark('profile', rules.filter(Boolean).map((node) => this.#chosen(node)));
  }

  #explainRuleAtCursor() {
    const found = effectsOfRule(this.#explanation, this.#editors.profile.text, this.#editors.profile.offset);
    for (const side of ['payload', 'output']) this.#mark(side, marksOf(found?.effects ?? [], side, this.#editors[side].text));
    this.#mark('profile', []);
    return found;
  }

  /** Marks a rule and its effects. */
  #chooseRule({ pointer, effects }) {
    for (const side of ['payload', 'output']) this.#mark(side, marksOf(effects, side, this.#editors[side].text));
    const node = nodeFor(this.#editors.profile.text, pointer);
    if (!node) return;
    this.#mark('profile', [this.#chosen(node)]);
    this.#editors.profile.reveal((node.key ?? node).start, node.end);
  }

  #chosen(node) {
    return { start: (node.key ?? node).start, end: node.end, kind: 'chosen' };
  }

  // MARK: Controls

  #prepareControls() {
    this.#examples.forEach(({ name, description }, index) => {
      const option = new Option(name, String(index));
      option.title = description;
      get('example').add(option);
    });
    get('example').addEventListener('change', ({ target }) => target.value && this.#useExample(Number(target.value)));
    for (const radio of document.querySelectorAll('input[name=direction]')) radio.addEventListener('change', () => this.#turn());
    for (const id of ['framing', 'indented']) get(id).addEventListener('change', () => this.#changed(0));
    get('indent-payload').addEventListener('click', () => this.#indentPayload());
    get('copy').addEventListener('click', () => this.#copyLink());
    // The link's own fragment would be read as a state.
    document.querySelector('.skip').addEventListener('click', (event) => {
      event.preventDefault();
      get('profile').focus();
    });
    get('copy-output').addEventListener('click', () => this.#copy(this.#output, 'The output is copied.'));
    get('keys').addEventListener('click', () => get('shortcuts').showModal());
    const theme = get('theme');
    theme.value = recall('theme') ?? '';
    theme.addEventListener('change', () => useTheme(theme.value));
    useTheme(theme.value);
    addEventListener('keydown', (event) => this.#shortcut(event));
  }

  /** The output becomes the payload of the other direction. */
  #turn() {
    const { payload, output } = this.#editors;
    if (this.#swapped?.to === payload.text) {
      const { from } = this.#swapped;
      this.#swapped = undefined;
      payload.text = from;
    } else if (this.#output !== '') {
      this.#swapped = { from: payload.text, to: this.#isCut ? this.#output : output.text };
      payload.text = this.#swapped.to;
    }
    this.#showOutput('');
    this.#changed(0);
  }

  async #indentPayload() {
    const { payload } = this.#editors;
    const { text } = await this.#converter.indent({ payload: payload.text, framing: get('framing').value });
    if (text !== undefined) payload.replace(0, payload.text.length, text);
  }

  async #copyLink() {
    if (await this.#writeFragment()) return this.#copy(location.href, 'The link is copied.');
    this.#say('The payload is too long for a link.', true);
  }

  async #copy(text, message) {
    try {
      await navigator.clipboard.writeText(text);
      this.#say(message, true);
    } catch {
      this.#say('The browser does not allow copying here. Copy from the address bar.', true);
    }
  }

  #shortcut(event) {
    const { code, ctrlKey, altKey } = event;
    const isBoth = ctrlKey && altKey && !event.getModifierState('AltGraph');
    const pane = isBoth && { Digit1: 'profile', Digit2: 'payload', Digit3: 'output' }[code];
    if (pane) get(pane).focus();
    else if (isBoth && code === 'KeyI') document.querySelector('input[name=direction]:not(:checked)').click();
    else if (ctrlKey && code === 'Enter') this.#readExplanation(event.target.id);
    else if (code === 'F8') this.#nextError();
    else return;
    event.preventDefault();
  }

  /** Explains the value or rule at the cursor, and moves the focus to the explanation. */
  #readExplanation(side) {
    if (side === 'payload' || side === 'output') {
      this.#explainAtCursor(side);
      get('value').querySelector('button')?.focus();
    } else if (side === 'profile') {
      const count = this.#explainRuleAtCursor()?.effects.reduce((sum, effect) => sum + effect.count, 0) ?? 0;
      this.#say(`The rule has ${count} effect${count === 1 ? '' : 's'}.`);
    }
  }

  #nextError() {
    const errors = ['profile', 'payload']
      .flatMap((side) => this.#messages[side].map((message) => ({ side, ...message })))
      .filter(({ kind, start }) => kind === 'error' && start !== undefined);
    if (errors.length === 0) return this.#say('There is no error.', true);
    const current = errors.findIndex(({ side, start }) => document.activeElement.id === side && this.#editors[side].offset === start);
    const { side, start, end } = errors[(current + 1) % errors.length];
    this.#editors[side].reveal(start, end);
  }

  /** Announces a text to screen readers, and shows it for a moment if `isVisible`. */
  #say(text, isVisible = false) {
    get('status').textContent = text;
    get('status').classList.toggle('hidden', !isVisible);
    if (isVisible) setTimeout(() => get('status').classList.add('hidden'), 2500);
  }

  #notify(text) {
    get('notice').textContent = text;
    get('notice').hidden = text === '';
  }
}

function useTheme(theme) {
  document.documentElement.style.colorScheme = theme || 'light dark';
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // A page from a file may have no storage.
  }
}

function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return undefined;
  }
}

if (globalThis.document) {
  new Page().start().catch((error) => {
    get('notice').textContent = `The playground cannot start: ${error.message}`;
    get('notice').hidden = false;
  });
} else {
  serve();
}
