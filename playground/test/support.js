import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const page = `${root}.build/playground/playground.html`;
export const pageURL = pathToFileURL(page).href;
export const pageText = () => readFileSync(page, 'utf8');

/** The program that serves the page, if the tests have one. */
export const program = process.env.CONVERT_PROGRAM;

/** Starts the program on free ports of this machine. Returns the addresses in the order of the listeners, and a function that ends it. */
export function serve(...options) {
  const count = 1 + options.filter((option) => option === '--admin').length;
  return start(['serve', '--listen', '127.0.0.1:0', '--profiles', `${root}examples/profiles`, ...options], count);
}

/** Starts the program, and waits until it listens on `count` addresses. */
export async function start(words, count) {
  const server = spawn(program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  const addresses = [];
  let text = '';
  for await (const piece of server.stdout) {
    text += piece;
    addresses.splice(0, Infinity, ...[...text.matchAll(/"message":"listening on [^"]*","address":"([^"]*)"/g)].map(([, address]) => address));
    if (addresses.length >= count) break;
  }
  return { addresses, stop: () => new Promise((resolve) => server.on('exit', resolve) && server.kill('SIGTERM')) };
}

/** A link to the page with a state, made by other code than the page's. */
export async function link(state, base = pageURL) {
  const { deflateRawSync } = await import('node:zlib');
  const full = { direction: 'forward', framing: 'document', ...state };
  return `${base}#s=${deflateRawSync(JSON.stringify(full)).toString('base64url')}`;
}
