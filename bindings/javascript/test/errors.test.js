import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';

import { ConvertError, Profile, provideFile, provideVariable } from '../node.js';
import { outcome } from './support.js';

const camel = new Profile({ keys: 'camelCase', dates: 'rfc3339' });
const good = '{"first_name": "A", "at": "2024-01-02 03:04:05Z"}';
const converted = '{"firstName":"A","at":"2024-01-02T03:04:05Z"}';

test('an error says where it is, and the profile converts the next payload', () => {
  const rows = [
    { payload: '', code: 'json', offset: 0 },
    { payload: '<html></html>', code: 'json', offset: 0 },
    { payload: '[1,2', code: 'json', offset: 4 },
    { payload: '{"a":"b', code: 'json' },
    { payload: '{} x', code: 'json', offset: 3 },
    { payload: '{\n  "é": [1,\n  x]}', code: 'json', line: 3, column: 3, pointer: '/é/1' },
    { payload: '[1, 2, }', code: 'json', line: 1, column: 8 },
    { payload: '['.repeat(100_000), code: 'limit', offset: 512 },
    { payload: `{"${'k'.repeat(10_000_000)}`, code: 'limit' },
    { payload: '{"a": 1, "a": 2}', code: 'duplicateKey', pointer: '/a' },
    { payload: '{"aB": 1, "a_b": 2}', code: 'collision' },
  ];
  for (const { payload, ...expected } of rows) {
    const { error } = outcome(() => camel.convert(payload));
    const name = payload.slice(0, 40);
    assert.ok(error instanceof ConvertError && error instanceof Error, name);
    for (const [member, value] of Object.entries(expected)) assert.equal(error[member], value, `${name}: ${member}`);
    assert.ok(error.message.length > 0, name);
    assert.equal(camel.convert(good), converted, `after ${name}`);
  }
});

test('an output that is too long for the host is an error, and nothing of its payload is left in the next one', () => {
  const { decode } = TextDecoder.prototype;
  const payload = `{"a_b": 1}\n{"text": "${'x'.repeat(200_000)}"}\n`;
  const lines = new Profile({ keys: 'camelCase', records: { onError: 'skip' } });
  TextDecoder.prototype.decode = () => {
    throw new RangeError('Invalid string length');
  };
  try {
    assert.throws(() => lines.convert(payload, { framing: 'lines' }), RangeError);
  } finally {
    TextDecoder.prototype.decode = decode;
  }
  assert.equal(lines.convert('{"a_b": 2}\n{"a_b": 3}\n', { framing: 'lines' }), '{"aB":2}\n{"aB":3}\n');
  assert.equal(lines.skippedRecords, 0);
});

test('bytes that are not UTF-8 are refused', () => {
  for (const bytes of [[0xff], [0x22, 0xff, 0x22], [0xff, 0xfe, 0x7b, 0, 0x7d, 0], [0]]) {
    assert.throws(() => camel.convert(Uint8Array.from(bytes)), { name: 'ConvertError', code: 'json' });
  }
});

test('a limit that the module would take for another one is refused', () => {
  const depth = (maxDepth, count) => outcome(() => new Profile({}, { maxDepth }).convert('['.repeat(count) + ']'.repeat(count)));
  assert.equal(depth(3, 3).error, undefined);
  assert.equal(depth(3, 4).error.code, 'limit');
  assert.equal(depth(0, 512).error, undefined);
  assert.equal(depth(32_768, 32_768).error, undefined);
  const stream = camel.stream();
  for (const value of [-1, 1.5, NaN, Infinity, 2 ** 32, 2 ** 32 + 5, '10', null, 3n]) {
    for (const name of ['maxDepth', 'maxHeldBytes']) assert.throws(() => new Profile({}, { [name]: value }), { name: 'RangeError', message: /whole number/ });
  }
  assert.throws(() => new Profile({}, { maxDepth: 32_769 }), RangeError);
  assert.throws(() => new Profile({}, { maxHeldBytes: 2 ** 31 }), RangeError);
  return stream.readable.cancel();
});

test('all errors of a profile are reported', () => {
  const profile = '{\n  "keyz": "camelCase",\n  "keys": "camelcase",\n  "rename": { "": "x" }\n}';
  const { error } = outcome(() => new Profile(profile));
  assert.equal(error.code, 'profile');
  assert.equal(error.line, 2);
  assert.deepEqual(error.faults.map(({ pointer, line }) => `${pointer} ${line}`), ['/keyz 2', '/keys 3', '/rename/ 4']);
  assert.match(error.hint, /keys/);
});

test('a profile that is not JSON is refused with the line', () => {
  for (const [profile, line] of [['', 1], ['{\n"keys": }', 2], ['[]', 1], ['['.repeat(100_000), 1]]) {
    assert.equal(outcome(() => new Profile(profile)).error.line, line, profile.slice(0, 20));
  }
});

test('the missing inverse of a profile is an error, and forward works', () => {
  const profile = new Profile({ drop: ['/secret'], move: { '/a': '/b' } });
  assert.equal(profile.convert('{"secret":1,"a":2}'), '{"b":2}');
  const impossible = new Profile({ keys: 'camelCase' });
  assert.equal(impossible.convert('{"a_b":1}'), '{"aB":1}');
  const { error } = outcome(() => impossible.inverse('{"aB":1}'));
  assert.equal(error?.code, 'profile');
  assert.equal(impossible.convert('{"a_b":1}'), '{"aB":1}');
});

test('options that do not exist are refused', () => {
  assert.throws(() => camel.convert('{}', { framing: 'ndjson' }), TypeError);
  assert.throws(() => camel.stream({ direction: 'backward' }), TypeError);
  assert.throws(() => camel.convert(7), TypeError);
});

test('an error of a stream is a ConvertError, and ends the stream', async () => {
  const stream = new Blob(['{"a_b": 1, "a_b": 2}']).stream().pipeThrough(camel.stream());
  await assert.rejects(async () => {
    for await (const _ of stream) continue;
  }, { name: 'ConvertError', code: 'duplicateKey', pointer: '/a_b' });
  assert.equal(camel.convert(good), converted);
});

test('a time zone by name needs its file, and says so', () => {
  const profile = (zone) => new Profile({ dates: { at: 't', zone } });
  const { error } = outcome(() => profile('Europe/Paris'));
  assert.equal(error.code, 'profile');
  assert.match(error.message, /zone/);
  const path = '/usr/share/zoneinfo/Europe/Paris';
  if (!existsSync(path)) return;
  provideFile(path, readFileSync(path));
  assert.equal(profile('Europe/Paris').convert('{"t":"2024-07-14T16:30:00Z"}'), '{"t":"2024-07-14T18:30:00+02:00"}');
});

test('a key of hash is a variable or a file that was provided', () => {
  const environment = new Profile({ values: { at: 'id', as: 'hash', key: { env: 'HASH_KEY' } } });
  const { error } = outcome(() => environment.convert('{"id":"a"}'));
  assert.equal(error.code, 'profile');
  assert.match(error.message, /HASH_KEY/);
  // RFC 4231, test case 2.
  provideVariable('HASH_KEY', 'Jefe');
  provideFile('/run/key', 'Jefe\n');
  const file = new Profile({ values: { at: 'id', as: 'hash', key: { file: '/run/key' } } });
  const code = Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex').toString('base64url');
  for (const profile of [environment, file]) {
    assert.equal(profile.convert('{"id":"what do ya want for nothing?"}'), `{"id":"${code}"}`);
  }
});

test('records that are skipped are counted', async () => {
  const profile = new Profile({ dates: { at: 't', from: 'rfc3339' }, records: { at: '/*', onError: 'skip' } });
  const payload = '[{"t":"2024-07-14T16:30:00Z"},{"t":"x"},{"t":"y"}]';
  assert.equal(profile.convert(payload), '[{"t":"2024-07-14T16:30:00Z"}]');
  assert.equal(profile.skippedRecords, 2);
  const stream = profile.stream();
  const output = await new Response(new Blob([payload]).stream().pipeThrough(stream)).text();
  assert.equal(output, '[{"t":"2024-07-14T16:30:00Z"}]');
  assert.equal(stream.skippedRecords, 2);
});

test('the report has the errors of a profile, and its effects on a payload', () => {
  const profile = new Profile({ keys: { case: 'camelCase', from: 'snake_case' }, rename: { '/absent': 'x' } });
  const report = profile.check('{"user_id": 1}');
  assert.equal(report.valid, true);
  assert.equal(report.explanation.effects[0].in, '/user_id');
  assert.equal(report.explanation.effects[0].out, '/userId');
  assert.deepEqual(report.explanation.idleRules.map(({ pointer }) => pointer), ['/rename/~1absent']);
  assert.equal(profile.check().explanation, undefined);
});
