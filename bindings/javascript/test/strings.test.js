import assert from 'node:assert/strict';
import test from 'node:test';
import { runInNewContext } from 'node:vm';

import { Profile } from '../node.js';

const camel = new Profile({ keys: 'camelCase' });
const characters = ['a', 'é', '漢', '\u{1f600}'];

test('strings of any characters come back unchanged, wherever pieces end', () => {
  for (const character of characters) {
    for (let shift = 0; shift < 4; shift++) {
      const content = 'x'.repeat(shift) + character.repeat(100_000);
      assert.equal(camel.convert(`{"a_b":"${content}"}`), `{"aB":"${content}"}`, `${character} after ${shift}`);
    }
  }
});

test('a stream of strings gives strings, wherever they are cut', async () => {
  const payload = `{"a_b":"${characters.join('').repeat(3)}"}`;
  for (let cut = 0; cut <= payload.length; cut++) {
    const chunks = [payload.slice(0, cut), payload.slice(cut)];
    const source = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    let output = '';
    for await (const piece of source.pipeThrough(camel.stream())) {
      assert.equal(typeof piece, 'string');
      output += piece;
    }
    assert.equal(output, payload.replace('a_b', 'aB'), `cut at ${cut}`);
  }
});

test('a stream may mix strings and bytes, also behind half of a surrogate pair', async () => {
  const source = new ReadableStream({
    start(controller) {
      for (const chunk of ['["\ud83d', Buffer.from('x",'), ' "\ud83d', '\ude00', Buffer.from('"]')]) controller.enqueue(chunk);
      controller.close();
    },
  });
  let output = '';
  for await (const piece of source.pipeThrough(camel.stream())) output += piece;
  assert.equal(output, '["\ufffdx","\u{1f600}"]');
});

test('every kind of view is accepted, and the output is a Uint8Array', () => {
  const bytes = new TextEncoder().encode('xx{"a_b":1}x');
  const shared = new SharedArrayBuffer(9);
  new Uint8Array(shared).set(bytes.subarray(2, -1));
  const foreign = runInNewContext('(bytes) => Uint8Array.from(bytes)')(bytes.slice(2, -1));
  const views = [
    bytes.slice(2, -1), bytes.subarray(2, -1), bytes.slice(2, -1).buffer, new DataView(bytes.buffer, 2, 9), Buffer.from(bytes).subarray(2, -1),
    shared, new Uint8Array(shared), foreign, foreign.buffer,
  ];
  for (const view of views) {
    const output = camel.convert(view);
    assert.equal(output.constructor, Uint8Array);
    assert.equal(new TextDecoder().decode(output), '{"aB":1}');
  }
});

test('a profile is JSON, as an object, a text or bytes; other objects are refused, also those whose JSON text is {}', async () => {
  const text = '{"keys":"camelCase"}';
  const foreign = runInNewContext('(text) => ({ object: JSON.parse(text), buffer: Uint8Array.from(text, (each) => each.charCodeAt(0)).buffer })')(text);
  class Document {
    keys = 'camelCase';
  }
  for (const document of [text, new TextEncoder().encode(text), JSON.parse(text), Object.assign(Object.create(null), JSON.parse(text)), new Document(), foreign.object, foreign.buffer]) {
    assert.equal(new Profile(document).convert('{"a_b":1}'), '{"aB":1}');
  }
  for (const document of [Promise.resolve({}), new Response(text), new Blob([text]), new Map([['keys', 'camelCase']]), new Set(), new Date(0), () => {}, undefined, Symbol('x'), 1n]) {
    assert.throws(() => new Profile(document), { name: 'TypeError', message: /^expected a string.*, found / });
  }
  for (const document of [null, 7, true, []]) assert.throws(() => new Profile(document), { name: 'ConvertError', code: 'profile' });
  assert.throws(() => camel.convert({ a_b: 1 }), { name: 'TypeError', message: /found Object; pass JSON\.stringify\(value\)/ });
});

test('half of a surrogate pair becomes a replacement character, and its escape stays', () => {
  assert.equal(camel.convert('["\ud800"]'), '["\ufffd"]');
  assert.equal(camel.convert('["\\ud800"]'), '["\\ud800"]');
});

test('a profile that was freed is loaded again', () => {
  const profile = new Profile('{"keys":"camelCase"}');
  for (let round = 0; round < 3; round++) {
    assert.equal(profile.convert('{"a_b":1}'), '{"aB":1}');
    profile.free();
    profile.free();
    assert.equal(profile.skippedRecords, 0);
  }
});
