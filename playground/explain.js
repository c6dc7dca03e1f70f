// The effects of the rules, by value and by rule. They come from the report's `explanation`.

import { nodeAt, outline, pointerOf } from './json.js';

/** The keys of a pointer. A `*` in a pattern is any index. */
const steps = (pointer) => pointer.split('/').slice(1);

const isIndex = (step) => /^\d+$/.test(step);

/** Whether a pattern of an effect leads to a pointer. */
function leadsTo(pattern, pointer) {
  if (pattern === undefined) return false;
  const [own, others] = [steps(pattern), steps(pointer)];
  const matches = (step, other) => (step === '*' && isIndex(other)) || step.replaceAll('~2', '*') === other;
  return own.length === others.length && own.every((step, index) => matches(step, others[index]));
}

/** The pointer of the same value in the other text, and the nearest effect on the value or on a value around it that tells it. */
function counterpart(effects, pointer, from, to) {
  const own = steps(pointer);
  for (let length = own.length; length > 0; length--) {
    const around = `/${own.slice(0, length).join('/')}`;
    const effect = effects.find((each) => each[to] !== undefined && leadsTo(each[from], around));
    if (!effect) continue;
    const indexes = own.slice(0, length).filter(isIndex);
    const other = effect[to].replace(/(?<=\/)\*(?=\/|$)/g, (star) => indexes.shift() ?? star);
    return { other: [other, ...own.slice(length)].join('/'), effect };
  }
  return { other: pointer };
}

const isRemoval = (effect) => effect.in !== undefined && effect.out === undefined;
const isFlatten = ({ pointer }) => /^\/flatten(\/|$)/.test(pointer);

/** Whether an effect is on all values of the payload to which its pattern leads. Its `*` stands for some indexes or for all. */
const isOnAll = (effect, nodes) => effect.count >= nodes.filter((node) => node.document === 0 && leadsTo(effect.in, pointerOf(node.path))).length;

/** Whether elements are removed from an array on the way to a value of the payload, so that its index in the output may be another one. */
function isShifted(effects, { path }, known = '') {
  const told = steps(known);
  return path.some((step, depth) => {
    if (typeof step !== 'number' || isIndex(told[depth] ?? '')) return false;
    const array = pointerOf(path.slice(0, depth));
    return effects.filter(isRemoval).some(({ in: pattern }) => {
      const end = pattern.lastIndexOf('/');
      return /^(\*|\d+)$/.test(pattern.slice(end + 1)) && leadsTo(pattern.slice(0, end), array);
    });
  });
}

/**
 * The effects of the rules on the value at an offset of the payload or of the output, and the pointer `other` of the same value in the other
 * text. `isLost` says that the report does not tell where the value is there, or whether. Undefined if nothing is known.
 *
 * @param otherText the other text; undefined if it is not complete.
 */
export function explainValue(explanation, side, text, offset, otherText) {
  // The report on a payload that is too large explains nothing, and an outline of it would take seconds.
  if (!explanation || (explanation.error && !explanation.error.code)) return undefined;
  const nodes = outline(text);
  const node = nodeAt(nodes, offset);
  if (!node || node.document > 0) return undefined;
  const [from, to] = side === 'payload' ? ['in', 'out'] : ['out', 'in'];
  const pointer = pointerOf(node.path);
  const effects = explanation.effects.filter((effect) => leadsTo(effect[from], pointer));
  const around = [];
  for (let parent = node.parent; parent && around.length === 0; parent = parent.parent) {
    const above = pointerOf(parent.path);
    around.push(...explanation.effects.filter((effect) => leadsTo(effect[from], above) && effect[to] === undefined));
  }
  const found = { node, pointer, effects, around: around.filter((effect) => effects.length === 0 || !isFlatten(effect)) };
  const without = [...effects, ...found.around].filter((effect) => effect[to] === undefined);
  if (without.length > 0) {
    // The values of a flattened object are elsewhere.
    const isGone = without.some((effect) => side === 'output' || ((effects.includes(effect) || !isFlatten(effect)) && isOnAll(effect, nodes)));
    return { ...found, isLost: !isGone };
  }
  const { other, effect } = counterpart(explanation.effects, pointer, from, to);
  const isSame = (each) => each.document === 0 && pointerOf(each.path) === other;
  const targets = otherText === undefined ? [] : outline(otherText).filter(isSame);
  const source = side === 'payload' ? node : targets[0];
  const isLost = (otherText !== undefined && targets.length !== 1) || (source !== undefined && isShifted(explanation.effects, source, effect?.in));
  return isLost ? { ...found, isLost } : { ...found, other };
}

/** The keys and values in a text that effects apply to, to be marked. */
export function marksOf(effects, side, text) {
  const patterns = effects.map((effect) => effect[side === 'payload' ? 'in' : 'out']).filter((pattern) => pattern !== undefined);
  if (patterns.length === 0) return [];
  return outline(text)
    .filter((node) => node.document === 0 && patterns.some((pattern) => leadsTo(pattern, pointerOf(node.path))))
    .map((node) => ({ start: (node.key ?? node).start, end: node.end, kind: 'effect' }));
}

/** The node of a text at a pointer. */
export function nodeFor(text, pointer) {
  return outline(text).find((node) => node.document === 0 && pointerOf(node.path) === pointer);
}

/** The effects of the rule around an offset of the profile, and the rule's pointer. */
export function effectsOfRule(explanation, profile, offset) {
  const node = nodeAt(outline(profile), offset);
  if (!node || node.path.length === 0 || !explanation) return undefined;
  const pointer = pointerOf(node.path);
  const isWithin = (inner, outer) => inner === outer || inner.startsWith(`${outer}/`);
  const rules = [...explanation.effects, ...explanation.idleRules].map((each) => each.pointer);
  const around = rules.filter((rule) => isWithin(pointer, rule)).sort((a, b) => b.length - a.length)[0];
  const section = around ?? pointer;
  return { pointer: section, effects: explanation.effects.filter((effect) => isWithin(effect.pointer, section)) };
}

/** Effects by rule, in the order in which they come. */
export function groupsOf(effects) {
  const groups = new Map();
  for (const effect of effects) {
    const group = groups.get(effect.pointer) ?? { pointer: effect.pointer, rule: effect.rule, effects: [] };
    group.effects.push(effect);
    groups.set(effect.pointer, group);
  }
  return [...groups.values()];
}
