// The worker's part: one conversion with its report, its explanation and its sizes.

import { ConvertError, Profile, init, provideFile } from '../bindings/javascript/index.js';
import { compiledZone } from './zones.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

let latest;
const zones = new Set();

export const load = (module) => init(module);

/** Runs one request of the page. Never throws for an error in profile or payload. */
export async function run({ profile: text, payload, direction, framing, isIndented }) {
  provideZones(text);
  const result = {};
  try {
    const profile = profileOf(text);
    const explained = framing === 'lines' ? (payload.split('\n').find((line) => line.trim() !== '') ?? '') : payload;
    result.report = explained.trim() === '' ? profile.check() : profile.check(explained, { direction });
    if (payload.trim() === '') return result;
    await convert(profile, result, encoder.encode(payload), { direction, framing, isIndented });
  } catch (error) {
    result.error = plain(error);
  }
  return result;
}

/** Indents a payload, and changes nothing else. */
export function indent({ payload, framing }) {
  try {
    return { text: layout({ output: { indent: 2 } }, encoder.encode(payload), framing) };
  } catch (error) {
    return { error: plain(error) };
  }
}

async function convert(profile, result, bytes, { direction, framing, isIndented }) {
  const output = direction === 'inverse' ? profile.inverse(bytes, { framing }) : profile.convert(bytes, { framing });
  result.skipped = profile.skippedRecords;
  result.output = decoder.decode(output);
  result.shown = isIndented && framing === 'document' ? layout({ output: { indent: 2 } }, output, framing) : result.output;
  // Lines that are not JSON are bad records, which the profile may skip.
  const compact = encoder.encode(layout({ records: { onError: 'skip' } }, bytes, framing));
  const [payloadSize, compactSize, outputSize] = await Promise.all([bytes, compact, output].map(sizeOf));
  result.sizes = { payload: payloadSize, compact: compactSize, output: outputSize };
}

async function sizeOf(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip')).getReader();
  let gzip = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: bytes.length, gzip };
    gzip += value.length;
  }
}

/** Converts by a profile that only changes white space. Equal keys in an object stay. */
function layout(document, bytes, framing) {
  const profile = new Profile({ ...document, on: { duplicateKey: 'keep' } });
  try {
    return decoder.decode(profile.convert(bytes, { framing }));
  } finally {
    profile.free();
  }
}

/** The compiled profile of a text. The same text is not compiled again. */
function profileOf(text) {
  if (latest?.text === text) return latest.profile;
  latest?.profile.free();
  latest = undefined;
  latest = { text, profile: new Profile(text) };
  return latest.profile;
}

/** Provides the time zones that a profile names, made from the browser's own. */
function provideZones(text) {
  for (const [, name] of text.matchAll(/"(?:zone|assumeZone)"\s*:\s*"([A-Za-z][\w+/-]*)"/g)) {
    if (zones.has(name)) continue;
    zones.add(name);
    const zone = compiledZone(name);
    if (zone) provideFile(`/usr/share/zoneinfo/${name}`, zone);
  }
}

/** An error as an object that can be sent. */
function plain(error) {
  if (!(error instanceof ConvertError)) return { code: 'page', message: String(error?.message ?? error) };
  const { code, message, pointer, line, column, rule, hint, faults } = error;
  return { code, message, pointer, line, column, rule, hint, faults };
}
