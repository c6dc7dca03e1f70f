// Tests of the reader for JSON that is still being written.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { contextAt, nodeAt, offsetOf, outline, pointerOf, selectorOf, tokenAt } from '../json.js';

/** A text with `|` at the cursor. */
const at = (text) => contextAt(text.replace('|', ''), text.indexOf('|'));

test('values have the pointers of RFC 6901', () => {
  const pointers = outline('{"a/b": [1, {"m~n": null}], "": true}').map(({ path }) => pointerOf(path));
  assert.deepEqual(pointers, ['', '/a~1b', '/a~1b/0', '/a~1b/1', '/a~1b/1/m~0n', '/']);
  assert.equal(selectorOf(['a*', 0, 'b/c']), '/a~2/*/b~1c');
});

test('the value at an offset is the innermost one and includes its key', () => {
  const text = '{"a": {"b": [10, 20]}}';
  const pointer = (part) => pointerOf(nodeAt(outline(text), text.indexOf(part) + 1).path);
  assert.equal(pointer('"b"'), '/a/b');
  assert.equal(pointer('20'), '/a/b/1');
  assert.equal(pointerOf(nodeAt(outline(text), 0).path), '');
});

test('the cursor is at a key or at a value, also in a text with errors', () => {
  const rows = [
    ['|', false, []], ['{|}', true, []], ['{"a|"}', true, []], ['{"a": |}', false, ['a']], ['{"a": "x|"}', false, ['a']],
    ['{"a": 1, |}', true, []], ['{"a": [|]}', false, ['a', 0]], ['{"a": [1, {"b": tr|', false, ['a', 1, 'b']], ['{"a": {"b|', true, ['a']],
    ['{"a" 1, "b": "|"', false, ['b']], ['[1, 2|', false, [1]], ['{"a": "x"|}', true, []],
  ];
  for (const [text, isKey, path] of rows) {
    const context = at(text);
    assert.deepEqual([context.isKey, context.path], [isKey, path], text);
  }
  assert.deepEqual(at('{"a": 1, "b|": 2, "c": 3}').keys, ['a', 'c']);
  assert.equal(at('{"a|": 1}').hasColon, true);
  assert.equal(at('{"ab|c": 1}').typed, 'ab');
});

test('a text that is too deep for the engine is read to the depth that the engine allows', () => {
  const text = '[\n'.repeat(40_000);
  const nodes = outline(text);
  assert.ok(nodes.length > 512 && nodes.length < 1000, String(nodes.length));
  assert.ok(contextAt(text, text.length).path.length > 512);
  assert.equal(outline('['.repeat(512) + 'x' + ']'.repeat(512)).length, 513);
});

test('columns count bytes', () => {
  const text = '{\n"é😀": x}';
  assert.equal(offsetOf(text, 2, 1), 2);
  assert.equal(text[offsetOf(text, 2, 11)], 'x');
  assert.equal(offsetOf(text, 9, 1), text.length);
  assert.deepEqual([tokenAt(text, 3).start, tokenAt(text, 3).end], [2, 7]);
  assert.deepEqual(tokenAt('[1', 2), { start: 1, end: 2 });
});
