// Makes the pictures of docs/playground.md: node playground/test/screenshots.js [DIRECTORY [FORMAT]]

import { writeFileSync } from 'node:fs';

import { Browser } from './browser.js';
import { link, root } from './support.js';

const [directory = `${root}docs/images`, format = 'webp'] = process.argv.slice(2);
const profile = `{
  "keys": { "case": "camelCase", "from": "snake_case" },
  "rename": { "/orders/*/order_number": "no" },
  "dates": {
    "at": "*_at",
    "from": { "pattern": "yyyy-MM-dd'T'HH:mm:ssXXX" },
    "to": "epoch-s"
  },
  "drop": "internal_note",
  "values": { "at": "/custmer_id", "as": "string" }
}
`;
const payload = `{
  "customer_id": 12345678901234567890,
  "first_name": "Ada",
  "orders": [
    {
      "order_number": 1000,
      "created_at": "2026-03-01T12:00:00Z",
      "total_price": 19.90,
      "internal_note": "call back"
    },
    {
      "order_number": 1001,
      "created_at": "2026-03-02T09:30:00Z",
      "total_price": 5.00,
      "internal_note": null
    }
  ]
}
`;

const pictures = [
  { name: 'light', width: 1440, height: 1080, scheme: 'light' },
  { name: 'dark', width: 1440, height: 1080, scheme: 'dark' },
  { name: 'phone', width: 360, height: 780, scheme: 'dark', scale: 2, isMobile: true },
];

const browser = new Browser();
for (const { name, ...options } of pictures) {
  const tab = await browser.open(await link({ profile, payload }), options);
  if (!options.isMobile) await tab.clickText('output', '1772366400').catch(() => {});
  await tab.value('scrollTo(0, 0)');
  await new Promise((resolve) => setTimeout(resolve, 300));
  writeFileSync(`${directory}/playground-${name}.${format}`, await tab.screenshot(format === 'webp' ? { format, quality: 85 } : { format }));
  await tab.close();
}
await browser.close();
