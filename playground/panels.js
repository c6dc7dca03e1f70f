// The parts below the editors: the rules, the value at the cursor, the sizes, the messages.

import { groupsOf } from './explain.js';

/** An element with a class, text or children. */
export function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function button(className, onClick, ...children) {
  const made = element('button', className, ...children);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

/** A text of the engine. Text in backticks becomes code. */
export const prose = (text) => text.replaceAll(' -> ', ' → ').split('`').map((part, index) => (index % 2 === 1 ? element('code', '', part) : part));

const MAX_LINES = 4;

/** One effect: the pointers before and after it. */
function effectLine({ in: from, out: to, what, count }) {
  const path = from === to || from === undefined ? (to ?? '') : to === undefined ? from : `${from} → ${to}`;
  const times = count > 1 ? element('span', 'count', `${count} ×`) : '';
  return element('li', '', element('code', '', path || 'the document'), ' ', ...prose(what), times);
}

/** The rules with their effects, and the rules without effect. `choose` gets a group or `{ pointer, effects: [] }`. */
export function showRules(place, explanation, choose) {
  if (!explanation) return place.replaceChildren(element('p', 'quiet', 'There is nothing to explain yet.'));
  const { effects, idleRules, error } = explanation;
  const groups = groupsOf(effects).map((group) => {
    const count = group.effects.reduce((sum, effect) => sum + effect.count, 0);
    const lines = group.effects.slice(0, MAX_LINES).map(effectLine);
    const rest = group.effects.length - lines.length;
    if (rest > 0) lines.push(element('li', 'quiet', `and ${rest} more`));
    const head = button('rule', () => choose(group), element('code', '', group.rule), element('span', 'count', `${count} ×`));
    return element('li', '', head, element('ul', 'effects', ...lines));
  });
  const idle = idleRules.map(({ pointer, rule, reason }) => {
    const head = button('rule idle', () => choose({ pointer, effects: [] }), element('code', '', rule));
    return element('li', '', head, element('p', 'reason', ...prose(reason)));
  });
  const parts = [];
  if (effects.length === 0 && error && !error.code) parts.push(element('p', 'quiet', error.message));
  else if (error?.code === 'json') parts.push(element('p', 'quiet', 'The payload is not JSON.'));
  else if (groups.length === 0) parts.push(element('p', 'quiet', 'No rule applies to this payload.'));
  else parts.push(element('ul', 'rules', ...groups));
  if (idle.length > 0) parts.push(element('h3', '', 'Rules without effect'), element('ul', 'rules', ...idle));
  place.replaceChildren(...parts);
}

/** The explanation of one value. `choose` shows a rule; `go` shows the same value in the other text. */
export function showValue(place, found, side, choose, go) {
  const other = side === 'payload' ? 'output' : 'payload';
  const isNew = found.effects.some((effect) => effect.in === undefined) && side === 'output';
  const line = element('p', '', element('code', 'path', found.pointer || 'the document'), ` in the ${side}`);
  if (isNew) line.append(' is added by the profile.');
  else if (found.isLost) line.append(`. Where it is in the ${other}, if it is there, is not known: a rule moves or removes values here.`);
  else if (found.other === undefined) line.append(` is not in the ${other}.`);
  else {
    line.append(side === 'payload' ? ' becomes ' : ' comes from ');
    line.append(button('link', () => go(found.other), element('code', '', found.other || 'the document')), ` in the ${other}.`);
  }
  const groups = groupsOf([...found.effects, ...found.around]);
  const rules = groups.map((group) => {
    const head = button('rule', () => choose(group), element('code', '', group.rule));
    return element('li', '', head, element('p', 'reason', ...prose(group.effects.map(({ what }) => what).join('; '))));
  });
  place.replaceChildren(line, rules.length > 0 ? element('ul', 'rules', ...rules) : element('p', 'quiet', 'No rule changes it.'));
}

const number = new Intl.NumberFormat('en');
const saved = (from, to) => (from === 0 ? '–' : `${to > from ? '−' : ''}${Math.abs(100 - (100 * to) / from).toFixed(1)} %`);

/** Bytes of the payload as written, of the payload without white space, and of the output. */
export function showSizes(place, sizes) {
  if (!sizes) return place.replaceChildren(element('p', 'quiet', 'There is no output.'));
  const { payload, compact, output } = sizes;
  const row = (name, ...cells) => {
    const head = element('th', '', name);
    head.scope = 'row';
    return element('tr', '', head, ...cells.map((cell) => element('td', '', typeof cell === 'number' ? number.format(cell) : cell)));
  };
  const heads = ['bytes', 'raw', 'gzip'].map((name) => {
    const head = element('th', '', name);
    head.scope = 'col';
    return head;
  });
  const total = row('saved', saved(compact.bytes, output.bytes), saved(compact.gzip, output.gzip));
  total.className = 'total';
  place.replaceChildren(
    element(
      'table', '', element('thead', '', element('tr', '', ...heads)),
      element(
        'tbody', '', row('payload as written', payload.bytes, payload.gzip),
        row('without white space', compact.bytes, compact.gzip), row('output', output.bytes, output.gzip), total,
      ),
    ),
  );
}

/** The messages below an editor: `{ kind, text, hint, line, column, start, end }`. */
export function showMessages(place, messages, go) {
  place.replaceChildren(
    ...messages.map((message) => {
      const { kind, line, column, text, hint } = message;
      const parts = [element('span', 'kind', kind), ' ', ...prose(text)];
      if (hint) parts.push(element('span', 'hint', ...prose(hint)));
      const where = line ? button('link', () => go(message), `${line}:${column}`) : '';
      return element('li', kind, where, ' ', ...parts);
    }),
  );
}
