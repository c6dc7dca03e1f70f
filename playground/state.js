// The state in the URL's fragment: JSON, deflated, in base64url. Browsers do not send fragments.

const PREFIX = '#s=';
/** Browsers and messengers cut longer links. */
const MAX_FRAGMENT = 32_000;
const MAX_STATE_BYTES = 20_000_000;

/** The fragment for a state; an empty one if it would be too long. */
export async function encode(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return text.length > MAX_FRAGMENT ? '' : PREFIX + text;
}

/** The state of a fragment; undefined if it has none. Throws if it is damaged. */
export async function decode(fragment) {
  if (fragment === '' || fragment === '#') return undefined;
  if (!fragment.startsWith(PREFIX)) throw new Error('unknown fragment');
  const binary = atob(fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = await through(Uint8Array.from(binary, (character) => character.charCodeAt(0)), new DecompressionStream('deflate-raw'));
  const { profile, payload, direction, framing } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (typeof profile !== 'string' || typeof payload !== 'string') throw new Error('no profile or no payload');
  return { profile, payload, direction: direction === 'inverse' ? 'inverse' : 'forward', framing: framing === 'lines' ? 'lines' : 'document' };
}

/** All output of a compressing or decompressing stream for some bytes. */
export async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    count += value.length;
    if (count > MAX_STATE_BYTES) throw new Error('too long');
  }
  const whole = new Uint8Array(count);
  let position = 0;
  for (const piece of pieces) {
    whole.set(piece, position);
    position += piece.length;
  }
  return whole;
}
