import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { instance } from '../module.js';
import { Profile, provideVariable } from '../node.js';
import { generator, outcome } from './support.js';

const module = new WebAssembly.Module(readFileSync(new URL('../convert.wasm', import.meta.url)));

test('the module imports nothing', () => assert.deepEqual(WebAssembly.Module.imports(module), []));

/** A separate instance of the module, whose memory the tests can read. */
function bareModule() {
  const { exports } = new WebAssembly.Instance(module, {});
  exports.convert_seed(1n);
  const put = (text) => {
    const bytes = Buffer.from(text);
    const start = exports.convert_input(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, start);
    return bytes.length;
  };
  const output = (size) => Buffer.from(exports.memory.buffer, exports.convert_output(), size).toString();
  return { ...exports, put, output };
}

test('handles and counts of the caller are checked', () => {
  const bare = bareModule();
  const code = (result) => JSON.parse(bare.output(-result)).code;
  for (const handle of [-1, 0, 1, 2 ** 31 - 1]) {
    assert.equal(code(bare.convert_feed(handle, 0)), 'handle');
    assert.equal(code(bare.convert_converter(handle, 0, 0)), 'handle');
    bare.convert_free_profile(handle);
    bare.convert_free_converter(handle);
    bare.convert_reset(handle);
    assert.equal(bare.convert_skipped(handle), 0);
  }
  const profile = bare.convert_profile(bare.put('{"keys":"camelCase"}'), 0, 0);
  const converter = bare.convert_converter(profile, 0, 0);
  for (const count of [-1, 2 ** 31 - 1, 1 << 20]) assert.equal(code(bare.convert_feed(converter, count)), 'count');
  assert.equal(code(bare.convert_check(20, 2 ** 31 - 1, 0)), 'count');
  assert.equal(code(bare.convert_provide(0, 2 ** 31 - 1, 2 ** 31 - 1)), 'count');
  assert.equal(bare.convert_input(-1), 0);
  assert.equal(bare.convert_input(2 ** 31 - 1), 0);
  assert.equal(bare.output(bare.convert_finish(converter, bare.put('{"a_b":1}'))), '{"aB":1}');
});

test('several converters work at once, each in its own payload', () => {
  const bare = bareModule();
  const profiles = ['camelCase', 'PascalCase', 'SCREAMING_SNAKE_CASE'].map((keys) => [
    bare.convert_profile(bare.put(JSON.stringify({ keys })), 0, 0),
    { camelCase: 'userId', PascalCase: 'UserId', SCREAMING_SNAKE_CASE: 'USER_ID' }[keys],
  ]);
  const converters = Array.from({ length: 300 }, (_, index) => {
    const [profile, key] = profiles[index % 3];
    return { handle: bare.convert_converter(profile, 0, 0), expected: `{"${key}":${index}}`, text: '' };
  });
  const feed = (piece) => {
    for (const [index, converter] of converters.entries()) {
      converter.text += bare.output(bare.convert_feed(converter.handle, bare.put(piece(index))));
    }
  };
  feed(() => '{"us');
  feed(() => 'er_id": ');
  feed((index) => `${index}}`);
  for (const converter of converters) {
    converter.text += bare.output(bare.convert_finish(converter.handle, 0));
    assert.equal(converter.text, converter.expected);
    bare.convert_free_converter(converter.handle);
  }
});

test('memory is used again: many profiles, converters and errors do not let it grow', () => {
  const bare = bareModule();
  const document = readFileSync(new URL('../../../examples/profiles/mobile.json', import.meta.url), 'utf8');
  const round = (index) => {
    const profile = bare.convert_profile(bare.put(document), 0, 0);
    assert.ok(profile > 0, bare.output(-profile));
    const converter = bare.convert_converter(profile, 0, 0);
    for (let payload = 0; payload < 5; payload++) {
      const keys = Array.from({ length: 200 }, (_, key) => `"key_${index}_${payload}_${key}": ${key}`).join();
      assert.ok(bare.convert_finish(converter, bare.put(`{${keys}}`)) > 0);
      assert.ok(bare.convert_finish(converter, bare.put(`{${keys}`)) < 0);
    }
    bare.convert_feed(converter, bare.put('{"unfinished": ['));
    bare.convert_free_converter(converter);
    bare.convert_free_profile(profile);
  };
  for (let index = 0; index < 50; index++) round(index);
  const grown = bare.memory.buffer.byteLength;
  for (let index = 50; index < 500; index++) round(index);
  assert.equal(bare.memory.buffer.byteLength, grown);
});

test('profiles and directions that are refused leave no memory behind', () => {
  const bare = bareModule();
  const profile = bare.convert_profile(bare.put('{"keys":"camelCase"}'), 0, 0);
  const round = () => {
    for (const document of ['{"kes":1}', '{"keys":', '[]', '']) assert.ok(bare.convert_profile(bare.put(document), 0, 0) < 0);
    assert.ok(bare.convert_converter(profile, 1, 0) < 0);
  };
  for (let index = 0; index < 100; index++) round();
  const grown = bare.memory.buffer.byteLength;
  for (let index = 0; index < 3000; index++) round();
  assert.equal(bare.memory.buffer.byteLength, grown);
});

test('a stream continues if the program keeps only its readable side, and garbage is collected', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const pieces = ['[', ...Array(20).fill('{"a_b":1},'), '0]'];
  const source = new ReadableStream({
    async pull(controller) {
      // The collector's callbacks run in a task of their own.
      collectGarbage();
      await setTimeout();
      controller.enqueue(pieces.shift());
      if (pieces.length === 0) controller.close();
    },
  });
  let output = '';
  for await (const piece of source.pipeThrough(new Profile({ keys: 'camelCase' }).stream())) output += piece;
  assert.equal(output, `[${'{"aB":1},'.repeat(20)}0]`);
});

test('converters of streams that the program has left are freed', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const prototype = Object.getPrototypeOf(instance());
  const { freeConverter } = prototype;
  let freed = 0;
  prototype.freeConverter = function (converter) {
    freed++;
    freeConverter.call(this, converter);
  };
  try {
    const profile = new Profile({ keys: 'camelCase' });
    for (let count = 0; count < 20; count++) profile.stream().writable.getWriter().write('[').catch(() => {});
    for (let round = 0; round < 100 && freed < 20; round++) {
      await setTimeout(1);
      collectGarbage();
    }
    // Those of earlier tests may be freed now, too.
    assert.ok(freed >= 20);
  } finally {
    prototype.freeConverter = freeConverter;
  }
});

test('a long payload passes through little memory', () => {
  const bare = bareModule();
  const profile = bare.convert_profile(bare.put('{"keys":"camelCase"}'), 0, 0);
  const converter = bare.convert_converter(profile, 0, 0);
  bare.convert_feed(converter, bare.put('['));
  const piece = `{"some_key": "${'x'.repeat(60_000)}"},`;
  for (let index = 0; index < 2000; index++) assert.ok(bare.convert_feed(converter, bare.put(piece)) >= 0);
  assert.equal(bare.output(bare.convert_finish(converter, bare.put('0]'))), '0]');
  assert.ok(bare.memory.buffer.byteLength < 8 << 20, `${bare.memory.buffer.byteLength} bytes`);
});

test('the output can have a thousand bytes for each byte of the payload', () => {
  const profile = new Profile({ output: { indent: 8 } }, { maxDepth: 2000 });
  const count = 4000;
  const output = profile.convert(new TextEncoder().encode(`${'['.repeat(1000)}${'1,'.repeat(count)}1${']'.repeat(1000)}`));
  assert.ok(output.length > count * 8000);
});

test('output with much indentation passes through little memory', () => {
  const bare = bareModule();
  const profile = bare.convert_profile(bare.put('{"output":{"indent":16}}'), 2000, 0);
  const converter = bare.convert_converter(profile, 0, 0);
  const pieceBytes = bare.convert_piece(converter);
  const payload = '['.repeat(1900) + '1,'.repeat(10_000);
  for (let start = 0; start < payload.length; start += pieceBytes) {
    assert.ok(bare.convert_feed(converter, bare.put(payload.slice(start, start + pieceBytes))) > 0);
  }
  assert.ok(bare.memory.buffer.byteLength < 64 << 20, `${bare.memory.buffer.byteLength} bytes`);
});

test('a payload that must be buffered ends in an error when it needs too much memory', () => {
  const profile = new Profile({ move: { '/last': '/first/inner' } }, { maxHeldBytes: 4 << 20 });
  const payload = `{"first": {"text": "${'x'.repeat(16 << 20)}"}, "last": 1}`;
  assert.equal(outcome(() => profile.convert(payload)).error?.code, 'limit');
  const names = Array.from({ length: 400_000 }, (_, index) => `"key${index}": 1`).join();
  assert.equal(outcome(() => profile.convert(`{${names}}`)).error?.code, 'limit');
  assert.equal(profile.convert('{"last": 1}'), '{"first":{"inner":1}}');
});

test('an object may have more keys than are remembered, and the duplicate among them is found', () => {
  const profile = new Profile({ keys: 'camelCase' });
  const members = (separator) => Array.from({ length: 30_000 }, (_, index) => `"key${separator}${index}": ${index}`);
  const expected = `{${members('').join().replaceAll(' ', '')}}`;
  assert.equal(profile.convert(`{${members('_').join()}}`), expected);
  assert.equal(profile.convert(`{${members('').join()}}`), expected);
  assert.equal(outcome(() => profile.convert(`{${members('_').join()}, "key_29000": 1}`)).error?.code, 'duplicateKey');
});

test('random bytes are either refused or converted', () => {
  const random = generator(7);
  const profile = new Profile(readFileSync(new URL('../../../examples/profiles/mobile.json', import.meta.url)));
  const alphabet = ['{', '}', '[', ']', ',', ':', '"', '\\', 'u', 'd800', '1', '-', '.', 'e', '9'.repeat(40), 'true', 'null', ' ', '\n', 'é', '\u{1f600}'];
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: random(30) }, () => alphabet[random(alphabet.length)]).join('');
    outcome(() => profile.convert(text));
    outcome(() => new Profile(text));
  }
  for (let round = 0; round < 5000; round++) {
    outcome(() => profile.convert(Uint8Array.from({ length: random(100) }, () => random(256))));
  }
});

test('an instance that has stopped is replaced, and the new one has the same files and variables', async () => {
  for (const value of ['first', 'key']) provideVariable('INSTANCE_TEST_KEY', value);
  const profile = new Profile({ values: { at: 'id', as: 'hash', key: { env: 'INSTANCE_TEST_KEY' } } });
  const output = profile.convert('{"id":1}');
  const writer = profile.stream().writable.getWriter();
  const stopped = instance();
  const prototype = Object.getPrototypeOf(stopped);
  const { provide } = prototype;
  const names = [];
  prototype.provide = function (...entry) {
    names.push(new TextDecoder().decode(entry[1]));
    provide.apply(this, entry);
  };
  stopped.isBroken = true;
  try {
    assert.equal(profile.convert('{"id":1}'), output);
  } finally {
    prototype.provide = provide;
  }
  // Each only once, however often it was provided.
  assert.equal(names.filter((name) => name === 'INSTANCE_TEST_KEY').length, 1);
  assert.notEqual(instance(), stopped);
  profile.free();
  // A stream of the stopped instance has lost its payload.
  await assert.rejects(writer.close(), { name: 'ConvertError', code: 'memory' });
});

test('an input without memory for it is an error, and the next call works', () => {
  const profile = new Profile({ keys: 'camelCase' });
  assert.throws(() => instance().input(2 ** 30), { name: 'ConvertError', code: 'memory' });
  assert.equal(profile.convert('{"a_b":1}'), '{"aB":1}');
});
