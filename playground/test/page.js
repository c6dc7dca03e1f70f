// Functions that the tests of the page share.

import assert from 'node:assert/strict';

import { Browser } from './browser.js';
import { link } from './support.js';

let browser;

export const openBrowser = () => (browser = new Browser());
export const closeBrowser = () => browser.close();

/** The texts that have a mark. */
export const marked = (kind) =>
  `[...(CSS.highlights.get('${kind}') ?? [])].map((range) => range.startContainer.textContent.slice(range.startOffset, range.endOffset))`;

/** Chooses an option of a list, as a person does. */
export const choose = (id, option) => `(() => {
  const list = document.getElementById('${id}');
  list.value = '${option}';
  list.dispatchEvent(new Event('change'));
})()`;
export const turn = (direction) => `document.querySelector('[value=${direction}]').click()`;
export const value = (id) => `document.getElementById('${id}').value`;
export const text = (id) => `document.getElementById('${id}').innerText`;

/** Opens a page, runs a test with it, and requires that the page made no other request and reported no error. */
export async function withPage(url, use, options) {
  const tab = await browser.open(url, options);
  try {
    await use(tab);
    const isOwn = (each) => each === url.split('#')[0] || each.startsWith('blob:') || each.startsWith('data:image/svg');
    const foreign = tab.requests.filter((each) => !isOwn(each));
    assert.deepEqual(foreign, [], 'nothing else is requested');
    assert.deepEqual(tab.complaints, [], 'no error, no violation, nothing on the console');
  } finally {
    await tab.close();
  }
}

/** A link to the page with a profile, as text or as an object, and a payload. */
export const state = (profile, payload, more = {}) =>
  link({ profile: typeof profile === 'string' ? profile : JSON.stringify(profile, null, 2), payload, ...more });

/** The labels in the list of completions. */
export const options = "[...document.querySelectorAll('#suggestions:not([hidden]) b')].map((each) => each.textContent)";

/** Moves the cursor to an offset in an editor. */
export const caret = (id, offset) => `(() => {
  const area = document.getElementById('${id}');
  area.focus();
  area.setSelectionRange(${offset}, ${offset});
})()`;
