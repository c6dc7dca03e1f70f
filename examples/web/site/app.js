import { init, Profile } from './convert-json/index.js';

await init();
const profile = new Profile(await (await fetch('short.json')).text());

/** Fetches what the gateway has made short, and gives what the backend has sent. */
async function fetchLong(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const short = new Uint8Array(await response.arrayBuffer());
  return { short, long: profile.inverse(short) };
}

async function gzipped(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

function fill(table, rows) {
  for (const row of rows) {
    const line = table.insertRow();
    for (const cell of row) {
      const place = line.insertCell();
      place.textContent = cell;
      if (typeof cell === 'number') place.className = 'number';
    }
  }
}

const decoder = new TextDecoder();
const { short, long } = await fetchLong('api/orders.json');
const saved = (from, to) => `${(100 - (100 * to) / from).toFixed(1)} %`;
const [gzippedLong, gzippedShort] = [await gzipped(long), await gzipped(short)];
fill(document.getElementById('sizes'), [
  ['', 'raw', 'gzip'],
  ['restored', long.length, gzippedLong],
  ['on the wire', short.length, gzippedShort],
  ['saved', saved(long.length, short.length), saved(gzippedLong, gzippedShort)],
]);
const { orders } = JSON.parse(decoder.decode(long));
fill(document.getElementById('orders'), [
  ['number', 'customer', 'created', 'price'],
  ...orders.map(({ orderNumber, customerName, createdAt, totalPrice }) => [orderNumber, customerName, createdAt, totalPrice]),
]);
document.getElementById('wire').textContent = `${decoder.decode(short).slice(0, 400)}…`;
