import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';

import { Profile } from '../node.js';
import { RawConverter, exists, fixtures, generator, latin1, outcome, provideZones, randomCuts, read } from './support.js';

provideZones();

// Tests/Fixtures/transform/README.md describes the files of a case.
const cases = readdirSync(`${fixtures}transform`)
  .filter((name) => exists(`transform/${name}/profile.json`))
  .map((name) => {
    const path = `transform/${name}/`;
    const hasLines = exists(`${path}input.ndjson`);
    const ending = hasLines ? 'ndjson' : 'json';
    const fails = exists(`${path}expected-error.json`);
    return {
      name,
      hasLines,
      isInverse: name.startsWith('inverse-'),
      profile: read(`${path}profile.json`),
      input: read(`${path}input.${ending}`),
      error: fails ? JSON.parse(Buffer.from(read(`${path}expected-error.json`)).toString()) : undefined,
      output: fails ? undefined : latin1(read(`${path}expected.${ending}`)),
    };
  });

test('there are as many cases as files', () => assert.ok(cases.length >= 450));

test('every case gives the output or error of its file, as bytes and as a string', () => {
  for (const { name, profile, input, output, error, isInverse, hasLines } of cases) {
    const loaded = new Profile(profile);
    const convert = (payload) => {
      const options = { framing: hasLines ? 'lines' : 'document' };
      return isInverse ? loaded.inverse(payload, options) : loaded.convert(payload, options);
    };
    const bytes = outcome(() => convert(input));
    if (error) {
      assert.equal(bytes.error?.code, error.code, name);
      if (error.pointer !== undefined) assert.equal(bytes.error.pointer, error.pointer, name);
    } else {
      assert.equal(bytes.error, undefined, `${name}: ${bytes.error}`);
      assert.equal(latin1(bytes.value), output, name);
    }
    const text = Buffer.from(input).toString();
    if (!Buffer.from(text).equals(input)) continue;
    const string = outcome(() => convert(text));
    assert.equal(string.error?.message, bytes.error?.message, name);
    if (!error) assert.equal(string.value, Buffer.from(output, 'latin1').toString(), name);
    loaded.free();
  }
});

test('every case has the same outcome byte by byte, cut at each byte, and in random cuts', () => {
  const random = generator(4);
  for (const { name, profile, input, isInverse, hasLines } of cases) {
    const converter = new RawConverter(profile, { isInverse, hasLines });
    const whole = converter.run(input);
    const positions = Array.from(input.keys());
    const cuts = [positions, ...positions.map((position) => [position])];
    for (let round = 0; round < 4; round++) cuts.push(randomCuts(random, input.length, 6));
    for (const cut of cuts) assert.deepEqual(converter.run(input, cut), whole, `${name} cut at ${cut}`);
    converter.free();
  }
});

test('every case has the same outcome through a stream', async () => {
  const random = generator(5);
  for (const { name, profile, input, output, error, isInverse, hasLines } of cases) {
    const options = { direction: isInverse ? 'inverse' : 'forward', framing: hasLines ? 'lines' : 'document' };
    const stream = new Profile(profile).stream(options);
    const ends = [...randomCuts(random, input.length, 3), input.length];
    const pieces = ends.map((end, index) => input.subarray(ends[index - 1] ?? 0, end));
    const parts = [];
    const conversion = (async () => {
      for await (const part of new Blob(pieces).stream().pipeThrough(stream)) parts.push(part);
    })();
    if (error) {
      await assert.rejects(conversion, { name: 'ConvertError', code: error.code }, name);
    } else {
      await conversion;
      assert.equal(latin1(Buffer.concat(parts)), output, name);
    }
  }
});
