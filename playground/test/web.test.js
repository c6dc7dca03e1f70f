// The demonstration of examples/web: the page behind a gateway, in a real Chromium.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { test } from 'node:test';

import { Browser } from './browser.js';
import { program, root, start } from './support.js';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm' };

/** The files in the same layout as in examples/web/run. */
function file(path) {
  if (path.startsWith('/convert-json/')) return `${root}bindings/javascript/${path.slice('/convert-json/'.length)}`;
  if (path === '/short.json') return `${root}examples/web/profiles/short.json`;
  return `${root}examples/web/site${path === '/' ? '/index.html' : path}`;
}

test('short keys on the wire become long again in the page', { skip: !program && 'CONVERT_PROGRAM is not set' }, async () => {
  const backend = createServer((request, response) => {
    try {
      const path = file(new URL(request.url, 'http://x').pathname);
      response.writeHead(200, { 'Content-Type': TYPES[extname(path)] }).end(readFileSync(path));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => backend.listen(0, '127.0.0.1', resolve));
  const directory = mkdtempSync(join(tmpdir(), 'web-'));
  const configuration = JSON.parse(readFileSync(`${root}examples/web/convert.json`));
  Object.assign(configuration, { listen: '127.0.0.1:0', admin: '127.0.0.1:0', profiles: `${root}examples/web/profiles` });
  configuration.upstreams.site.servers = `http://127.0.0.1:${backend.address().port}`;
  writeFileSync(join(directory, 'convert.json'), JSON.stringify(configuration));
  const { addresses, stop } = await start(['serve', '--config', join(directory, 'convert.json')], 2);
  const browser = new Browser();
  try {
    const text = readFileSync(`${root}examples/web/site/api/orders.json`, 'utf8');
    const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part[0] === '"' ? part : ''));
    const original = JSON.parse(text);
    const pages = await Promise.all(addresses.map(async (address) => ({ address, response: await fetch(`${address}/api/orders.json`) })));
    const { address, response } = pages.find(({ response: { status } }) => status === 200);
    const short = await response.text();
    const tab = await browser.open(`${address}/`, { isConverting: false });
    await tab.until("document.querySelectorAll('#orders tr').length > 1");
    const rows = await tab.value("[...document.querySelectorAll('#orders tr')].slice(1).map((row) => [...row.cells].map((cell) => cell.textContent))");
    assert.deepEqual(rows, original.orders.map((order) => [order.orderNumber, order.customerName, order.createdAt, order.totalPrice].map(String)));
    const sizes = await tab.value("[...document.querySelectorAll('#sizes tr')].slice(1, 3).map((row) => Number(row.cells[1].textContent))");
    assert.deepEqual(sizes, [Buffer.byteLength(compact), Buffer.byteLength(short)]);
    assert.ok(sizes[1] < 0.7 * sizes[0], sizes.join());
    assert.deepEqual(tab.complaints, []);
  } finally {
    await browser.close();
    await stop();
    backend.close();
    rmSync(directory, { recursive: true });
  }
});
