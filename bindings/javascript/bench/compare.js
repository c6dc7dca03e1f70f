// Measures `convert` beside hand-written code: JSON.parse, a recursion that renames keys, JSON.stringify. Both run in this process,
// one after the other, and the fastest of many rounds counts. Usage: node bench/compare.js [DIRECTORY] [--json FILE]
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Profile } from '../node.js';

const options = process.argv.slice(2);
const flag = options.indexOf('--json');
const [, resultFile] = flag < 0 ? [] : options.splice(flag, 2);
const corpus =
  options[0] ?? process.env.CONVERT_CORPUS ?? fileURLToPath(new URL('../../../../shared/corpus', import.meta.url));
const SECONDS = 1.5;

const camelCase = (key) => key.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

const known = new Map();
function rememberedCamelCase(key) {
  let converted = known.get(key);
  if (converted === undefined) known.set(key, (converted = camelCase(key)));
  return converted;
}

/** The same value with other keys. */
function rename(value, convert) {
  if (Array.isArray(value)) return value.map((element) => rename(element, convert));
  if (value === null || typeof value !== 'object') return value;
  const renamed = {};
  for (const key of Object.keys(value)) renamed[convert(key)] = rename(value[key], convert);
  return renamed;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const byHand = (text, convert) => JSON.stringify(rename(JSON.parse(text), convert));
const profile = new Profile({ keys: 'camelCase' });

/** Functions that convert a document, given as text and as bytes. */
const ways = {
  // One character of the result is read, because only a read joins the pieces of a string.
  'string, convert': (text) => profile.convert(text).charCodeAt(0),
  'string, by hand': (text) => byHand(text, camelCase),
  'string, by hand with a Map': (text) => byHand(text, rememberedCamelCase),
  'bytes, convert': (_, bytes) => profile.convert(bytes),
  'bytes, by hand': (_, bytes) => encoder.encode(byHand(decoder.decode(bytes), camelCase)),
  'bytes, by hand with a Map': (_, bytes) => encoder.encode(byHand(decoder.decode(bytes), rememberedCamelCase)),
};

/** Megabytes per second of the fastest round. The rounds of all ways are interleaved, so that a slow machine slows all of them. */
function measure(text, bytes) {
  const fastest = Object.fromEntries(Object.keys(ways).map((name) => [name, Infinity]));
  const repetitions = Math.max(1, Math.round(200_000 / bytes.length));
  const end = performance.now() + SECONDS * 1000 * Object.keys(ways).length;
  for (let rounds = 0; rounds < 10 || performance.now() < end; rounds++) {
    for (const [name, way] of Object.entries(ways)) {
      const start = performance.now();
      for (let index = 0; index < repetitions; index++) way(text, bytes);
      fastest[name] = Math.min(fastest[name], (performance.now() - start) / repetitions);
    }
  }
  return Object.fromEntries(Object.entries(fastest).map(([name, time]) => [name, bytes.length / 1000 / time]));
}

const results = {};
for (const name of readdirSync(corpus).filter((name) => name.endsWith('.json')).sort()) {
  const bytes = new Uint8Array(readFileSync(`${corpus}/${name}`));
  results[name] = measure(decoder.decode(bytes), bytes);
}

const number = (value) => value.toFixed(value < 10 ? 1 : 0).padStart(6);
console.log(`node ${process.version}, MB/s, and how many times as fast as by hand and as by hand with a Map\n`);
console.log('document                 string  by hand  with Map   ratios          bytes  by hand  with Map   ratios');
for (const [name, speeds] of Object.entries(results)) {
  const columns = ['string', 'bytes'].map((kind) => {
    const [own, plain, remembered] = ['convert', 'by hand', 'by hand with a Map'].map((way) => speeds[`${kind}, ${way}`]);
    return `${number(own)}   ${number(plain)}    ${number(remembered)}  ${number(own / plain)} ${number(own / remembered)}`;
  });
  console.log(`${name.padEnd(24)} ${columns.join('  ')}`);
}
const mean = (kind, way) =>
  Math.exp(Object.values(results).reduce((sum, speeds) => sum + Math.log(speeds[`${kind}, convert`] / speeds[`${kind}, ${way}`]), 0) / Object.keys(results).length);
for (const kind of ['string', 'bytes']) {
  console.log(`geometric mean, ${kind}: ${mean(kind, 'by hand').toFixed(1)} and ${mean(kind, 'by hand with a Map').toFixed(1)}`);
}
if (resultFile) writeFileSync(resultFile, `${JSON.stringify({ node: process.version, results }, null, 2)}\n`);
