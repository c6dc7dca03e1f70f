import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { ConvertError, provideFile } from '../node.js';
import { instance } from '../module.js';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const fixtures = `${root}Tests/Fixtures/`;

/** The `.json` files of a fixture directory: names and bytes. */
export const documents = (directory) =>
  readdirSync(fixtures + directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, bytes: read(`${directory}/${name}`) }));

export const read = (path) => new Uint8Array(readFileSync(fixtures + path));
export const exists = (path) => existsSync(fixtures + path);

/** Provides the time zones that the fixtures name. */
export function provideZones() {
  for (const zone of ['Europe/Paris', 'Pacific/Apia']) {
    const path = `/usr/share/zoneinfo/${zone}`;
    provideFile(path, readFileSync(path));
  }
}

/** Pseudorandom numbers that are the same in every run (mulberry32). */
export function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Ascending positions in `count` bytes. */
export const randomCuts = (random, count, most) =>
  Array.from({ length: random(most + 1) }, () => random(count + 1)).sort((left, right) => left - right);

/** A converter without the package's interface, so that a test decides where to cut a payload. */
export class RawConverter {
  constructor(profile, { isInverse = false, hasLines = false } = {}) {
    this.owner = instance();
    this.profile = this.owner.addProfile(profile, 0, 0);
    this.converter = this.owner.addConverter(this.profile, isInverse, hasLines);
  }

  /** The output, or the error, of a payload in pieces that end at `cuts`. */
  run(payload, cuts = []) {
    const parts = [];
    try {
      let start = 0;
      for (const end of [...cuts, payload.length]) {
        const piece = payload.subarray(start, end);
        this.owner.input(Math.max(piece.length, 1)).set(piece);
        parts.push(this.owner.convert(this.converter, piece.length, false).slice());
        start = end;
      }
      parts.push(this.owner.convert(this.converter, 0, true).slice());
      return { output: Buffer.concat(parts).toString('latin1') };
    } catch (error) {
      if (!(error instanceof ConvertError)) throw error;
      const { code, message, pointer, line, column, offset, rule } = error;
      return { error: { code, message, pointer, line, column, offset, rule } };
    }
  }

  free() {
    this.owner.freeConverter(this.converter);
    this.owner.freeProfile(this.profile);
  }
}

/** The outcome of a call: its value, or its `ConvertError`. */
export function outcome(call) {
  try {
    return { value: call() };
  } catch (error) {
    if (!(error instanceof ConvertError)) throw error;
    return { error };
  }
}

export const latin1 = (bytes) => Buffer.from(bytes).toString('latin1');
