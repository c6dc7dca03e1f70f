// Links, and the page for people: keyboard, phones, contrast, themes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';

import { caret, choose, closeBrowser, openBrowser, state, text, turn, value, withPage } from './page.js';
import { pageURL } from './support.js';

before(openBrowser);
after(closeBrowser);

describe('links', () => {
  test('the fragment stores and restores the state', async () =>
    withPage(pageURL, async (tab) => {
      await tab.fill('profile', '{"rename": {"ä": "ö"}}');
      await tab.fill('payload', '{"ä": "😀"}');
      await tab.converting(() => tab.value(turn('inverse')));
      await tab.converting(() => tab.fill('payload', '{"ö": "😀"}'));
      await tab.until("location.hash.startsWith('#s=')");
      await new Promise((resolve) => setTimeout(resolve, 600));
      const fragment = await tab.value('location.hash');
      assert.deepEqual(JSON.parse(inflateRawSync(Buffer.from(fragment.slice(3), 'base64url'))), {
        profile: '{"rename": {"ä": "ö"}}', payload: '{"ö": "😀"}', direction: 'inverse', framing: 'document',
      });
      await tab.go(`${pageURL}${fragment}`);
      assert.equal(await tab.value(value('payload')), '{"ö": "😀"}');
      assert.deepEqual(JSON.parse(await tab.value(value('output'))), { ä: '😀' });
    }));

  test('a damaged link gives a notice, and the page works', () =>
    withPage(`${pageURL}#s=AAAA`, async (tab) => {
      assert.match(await tab.value(text('notice')), /link is damaged/);
      assert.match(await tab.value(value('output')), /"fn"/);
      await tab.value("location.hash = '#other'");
      await tab.until("document.getElementById('notice').hidden === false");
      const good = await state({ rename: { a: 'b' } }, '{"a": 1}');
      await tab.converting(() => tab.value(`location.hash = '${good.split('#')[1]}'`));
      assert.equal(await tab.value("document.getElementById('notice').hidden"), true);
      assert.deepEqual(JSON.parse(await tab.value(value('output'))), { b: 1 });
    }));
});

describe('people', () => {
  test('Tab reaches every control and leaves it again', () =>
    withPage(pageURL, async (tab) => {
      await tab.value('document.body.focus()');
      const reached = [];
      for (let count = 0; count < 40; count++) {
        await tab.press('Tab');
        const id = await tab.value("document.activeElement.id || document.activeElement.className || document.activeElement.value || document.activeElement.tagName");
        if (reached.length > 3 && id === reached[0]) break;
        reached.push(id);
        const outline = await tab.value(`(() => {
          const { activeElement: focused } = document;
          const switched = focused.nextElementSibling?.closest('.switch input:focus-visible + span');
          return getComputedStyle(focused.closest('.pane:has(textarea:focus-visible)') ?? switched ?? focused).outlineStyle;
        })()`);
        if (id !== 'BODY') assert.notEqual(outline, 'none', `${id} shows that it has the focus`);
      }
      for (const id of ['skip', 'example', 'forward', 'framing', 'theme', 'copy', 'keys', 'profile', 'payload', 'output', 'indented', 'rule']) {
        assert.ok(reached.includes(id), `${id} in ${reached}`);
      }
      // The coloured copies of the texts can be scrolled, but they are hidden from screen readers.
      assert.ok(!reached.includes('PRE'), reached.join());
      const order = ['profile', 'payload', 'output'].map((id) => reached.indexOf(id));
      assert.deepEqual(order, [...order].sort((a, b) => a - b));
    }));

  test('the page can be used with the keyboard alone', async () =>
    withPage(await state({ rename: { a: 'b' } }, '{"a": 1}'), async (tab) => {
      await tab.press('Control+Alt+1');
      assert.equal(await tab.value('document.activeElement.id'), 'profile');
      await tab.press('Control+Alt+3');
      assert.equal(await tab.value('document.activeElement.id'), 'output');
      // The output has a cursor and cannot be changed.
      const before = await tab.value(value('output'));
      await tab.value(caret('output', 5));
      await tab.type('x');
      await tab.press('ArrowRight');
      assert.equal(await tab.value(value('output')), before);
      assert.equal(await tab.value("document.getElementById('output').selectionStart"), 6);
      await tab.press('Control+Enter');
      assert.match(await tab.value(text('value')), /\/b in the output comes from\s*\/a in the payload/);
      assert.match(await tab.value('document.activeElement.className'), /link/);
      await tab.converting(() => tab.press('Control+Alt+i'));
      assert.equal(await tab.value("document.querySelector('input[name=direction]:checked').value"), 'inverse');
      await tab.value("document.getElementById('keys').focus()");
      await tab.press('Enter');
      assert.equal(await tab.value("document.getElementById('shortcuts').open"), true);
      await tab.press('Escape');
      assert.equal(await tab.value("document.getElementById('shortcuts').open"), false);
    }));

  test('every control has a name, and every pair of colours has enough contrast', () =>
    withPage(pageURL, async (tab) => {
      const nameless = await tab.value(`[...document.querySelectorAll('button, select, textarea, input')]
        .filter((each) => !(each.labels?.length || each.textContent.trim() || each.getAttribute('aria-labelledby')))
        .map((each) => each.outerHTML)`);
      assert.deepEqual(nameless, []);
      for (const scheme of ['light', 'dark']) {
        await tab.setScheme(scheme);
        const poor = await tab.value(`(() => {
          // WCAG 2.2, relative luminance and contrast.
          const linear = (part) => (part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
          const luminance = (colour) => {
            const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => linear(part / 255));
            return .2126 * r + .7152 * g + .0722 * b;
          };
          const probe = document.body.appendChild(document.createElement('i'));
          const colour = (name) => { probe.style.color = 'var(--' + name + ')'; return getComputedStyle(probe).color; };
          const poor = [];
          const pairs = ['surface', 'ground', 'raised'].flatMap((ground) => [
            'text', 'quiet', 'accent', 'error', 'warning', 'key', 'string', 'word',
          ].map((name) => [ground, name]));
          for (const [ground, name] of pairs) {
            const [a, b] = [luminance(colour(name)), luminance(colour(ground))].sort((x, y) => y - x);
            if ((a + .05) / (b + .05) < 4.5) poor.push(name + ' on ' + ground + ': ' + ((a + .05) / (b + .05)).toFixed(2));
          }
          probe.remove();
          return poor;
        })()`);
        assert.deepEqual(poor, [], scheme);
      }
    }));

  test('a screen of 360 pixels shows one column and scrolls only vertically', () =>
    withPage(pageURL, async (tab) => {
      const { width, panes } = await tab.value(`({
        width: document.documentElement.scrollWidth,
        panes: [...document.querySelectorAll('main > *')].map((each) => Math.round(each.getBoundingClientRect().left)),
      })`);
      assert.equal(width, 360);
      assert.deepEqual([...new Set(panes)], [12]);
      const small = await tab.value(`[...document.querySelectorAll('header button, header select')]
        .filter((each) => each.getBoundingClientRect().height < 32).length`);
      assert.equal(small, 0);
    }, { width: 360, height: 740, scale: 2, isMobile: true }));

  test('the theme follows the system until it is chosen', () =>
    withPage(pageURL, async (tab) => {
      const ground = 'getComputedStyle(document.documentElement).backgroundColor';
      const light = await tab.value(ground);
      await tab.setScheme('dark');
      const dark = await tab.value(ground);
      assert.notEqual(light, dark);
      await tab.value(choose('theme', 'light'));
      assert.equal(await tab.value(ground), light);
      await tab.value(choose('theme', ''));
      assert.equal(await tab.value(ground), dark);
    }));
});
