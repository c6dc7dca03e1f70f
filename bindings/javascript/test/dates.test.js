import assert from 'node:assert/strict';
import test from 'node:test';

import { Profile } from '../node.js';
import { generator } from './support.js';

// An Int of the module has 32 bits. The expected dates are JavaScript's own.
const random = generator(2038);
const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T00:00:00Z');
const instants = [first, -1, 0, 2 ** 31 * 1000 - 1, 2 ** 31 * 1000, 2 ** 32 * 1000, Date.UTC(2038, 0, 20), last];
for (let count = 0; count < 2000; count++) instants.push(Math.floor(first + (last - first) * (random(2 ** 30) / 2 ** 30)));

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
const rfc3339 = (milliseconds) => new Date(milliseconds).toISOString();
const counts = {
  'epoch-s': (milliseconds) => `${milliseconds / 1000}`,
  'epoch-ms': (milliseconds) => `${milliseconds}`,
  'epoch-us': (milliseconds) => `${BigInt(milliseconds) * 1000n}`,
  'epoch-ns': (milliseconds) => `${BigInt(milliseconds) * 1_000_000n}`,
  'dotnet-ticks': (milliseconds) => `${(BigInt(milliseconds) + 62_135_596_800_000n) * 10_000n}`,
  'dotnet-json': (milliseconds) => `"/Date(${milliseconds})/"`,
};

for (const [form, spell] of Object.entries(counts)) {
  test(`${form} is read for all years from 1 to 9999`, () => {
    const profile = new Profile({ dates: { at: 't', from: form, to: 'rfc3339', precision: 3 } });
    for (const instant of instants) {
      assert.equal(profile.convert(`{"t":${spell(instant)}}`), `{"t":"${rfc3339(instant)}"}`, rfc3339(instant));
    }
  });

  test(`${form} is written for all years from 1 to 9999`, () => {
    const profile = new Profile({ dates: { at: 't', from: 'rfc3339', to: form } });
    for (const instant of instants) {
      // Whole seconds, because not all forms have fractions.
      const seconds = Math.floor(instant / 1000) * 1000;
      assert.equal(profile.convert(`{"t":"${rfc3339(seconds)}"}`), `{"t":${spell(seconds)}}`, rfc3339(seconds));
    }
  });
}

test('a number with any exponent is a date or an error', () => {
  const profile = new Profile({ dates: { at: 't', from: 'epoch-s', to: 'rfc3339' } });
  assert.equal(profile.convert('{"t":172097460000e-2}'), '{"t":"2024-07-14T16:30:00Z"}');
  for (const exponent of ['12', '2147483648', '4294967296', '99999999999999999999', '-2147483649', '-99999999999999999999']) {
    try {
      profile.convert(`{"t":17e${exponent}}`);
    } catch (error) {
      assert.equal(error.code, 'badValue', exponent);
    }
  }
});
