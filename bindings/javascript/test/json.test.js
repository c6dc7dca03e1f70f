import assert from 'node:assert/strict';
import test from 'node:test';

import { RawConverter, documents, generator, latin1, randomCuts, read } from './support.js';

const permissive = Buffer.from('{"on": {"duplicateKey": "keep"}}');
const decisions = JSON.parse(Buffer.from(read('json/decisions.json')).toString());
const suite = documents('json').filter(({ name }) => name !== 'decisions.json');

/** The expected outcome of a file, by RFC 8259 or by a decision of this project. */
function expectation(name) {
  const decision = decisions[name];
  if (name.startsWith('y_') || decision?.accepted) return { output: latin1(read(`json-minified/${name}`)) };
  if (decision?.code) return { codes: [decision.code] };
  // 100,000 open brackets are both malformed and too deep.
  return { codes: name.includes('_100000_') ? ['json', 'limit'] : ['json'] };
}

test('every file of the JSON suite is accepted or refused as expected, whole, byte by byte and in random cuts', () => {
  assert.ok(suite.length >= 500);
  const converter = new RawConverter(permissive);
  const random = generator(8259);
  for (const { name, bytes } of suite) {
    const { output, codes } = expectation(name);
    const whole = converter.run(bytes);
    if (codes) assert.ok(codes.includes(whole.error?.code), `${name}: ${JSON.stringify(whole).slice(0, 200)}`);
    else assert.equal(whole.output, output, name);
    const cuts = Array.from({ length: 8 }, () => randomCuts(random, bytes.length, 6));
    if (bytes.length < 20_000) cuts.push(Array.from(bytes.keys()));
    for (const cut of cuts) assert.deepEqual(converter.run(bytes, cut), whole, `${name} cut at ${cut.slice(0, 10)}`);
  }
});

test('minified text minifies to itself', () => {
  const converter = new RawConverter(permissive);
  for (const { name, bytes } of documents('json-minified')) {
    assert.deepEqual(converter.run(bytes), { output: latin1(bytes) }, name);
  }
});
