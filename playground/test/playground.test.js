// The built page in a real Chromium: from a file, and served by the program if CONVERT_PROGRAM names one.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { caret, choose, closeBrowser, marked, openBrowser, options, state, text, turn, value, withPage } from './page.js';
import { pageURL, program, root, serve } from './support.js';

before(openBrowser);
after(closeBrowser);

describe('loading', () => {
  test('a file shows the first example, converted in a worker', () =>
    withPage(pageURL, async (tab) => {
      assert.equal(await tab.value('document.documentElement.dataset.engine'), 'worker');
      assert.deepEqual(JSON.parse(await tab.value(value('output'))), { fn: 'Ada', ln: 'Lovelace', orders: [{ id: 1, ca: 1772366400 }] });
      assert.equal(await tab.value(text('reversible')), 'reversible');
    }));

  test('a browser without workers and highlights converts too', () =>
    withPage(pageURL, async (tab) => {
      assert.equal(await tab.value('document.documentElement.dataset.engine'), 'page');
      await tab.fill('payload', '{"firstName": "Grace", "x": y}');
      assert.match(await tab.value(text('payload-messages')), /1:29/);
      assert.notEqual(await tab.value("getComputedStyle(document.getElementById('payload')).color"), 'rgba(0, 0, 0, 0)');
      await tab.fill('payload', '{"firstName": "Grace"}');
      assert.deepEqual(JSON.parse(await tab.value(value('output'))), { fn: 'Grace' });
    }, { script: 'delete globalThis.Worker; Object.defineProperty(CSS, "highlights", { value: undefined });' }));

  test('the program serves the page, with `--admin` only at that address', { skip: !program && 'CONVERT_PROGRAM is not set' }, async () => {
    const server = await serve();
    await withPage(`${server.addresses[0]}/`, (tab) => tab.fill('payload', '{"firstName": 1}'));
    await server.stop();
    const other = await serve('--admin', '127.0.0.1:0');
    const statuses = await Promise.all(other.addresses.map(async (address) => [(await fetch(`${address}/`)).status, address]));
    assert.deepEqual(statuses.map(([status]) => status).sort(), [200, 404]);
    await withPage(`${statuses.find(([status]) => status === 200)[1]}/`, (tab) => tab.fill('payload', '{"firstName": 1}'));
    await other.stop();
  });

  test('every example gives the output in its file', () =>
    withPage(pageURL, async (tab) => {
      const files = readdirSync(`${root}examples/profiles`).map((name) => JSON.parse(readFileSync(`${root}examples/profiles/${name}`)));
      const names = await tab.value("[...document.getElementById('example').options].slice(1).map((option) => option.text)");
      assert.deepEqual([...names].sort(), files.map(({ name }) => name).sort());
      for (const [index, name] of names.entries()) {
        await tab.converting(() => tab.value(choose('example', index)));
        const { examples } = files.find((file) => file.name === name);
        assert.deepEqual(JSON.parse(await tab.value(value('output'))), examples[0].out, name);
        assert.deepEqual(await tab.value(marked('error')), [], name);
      }
    }));
});

describe('converting', () => {
  test('numbers keep their digits, and the inverse direction takes the output as its payload', async () =>
    withPage(await state({ keys: { case: 'camelCase', from: 'snake_case' } }, '{"user_id": 12345678901234567890, "price": 1.10}'), async (tab) => {
      assert.equal(await tab.value(value('output')), '{\n  "userId": 12345678901234567890,\n  "price": 1.10\n}');
      await tab.converting(() => tab.value(turn('inverse')));
      assert.equal(await tab.value(value('payload')), '{\n  "userId": 12345678901234567890,\n  "price": 1.10\n}');
      assert.equal(await tab.value(value('output')), '{\n  "user_id": 12345678901234567890,\n  "price": 1.10\n}');
      await tab.converting(() => tab.value(turn('forward')));
      assert.equal(await tab.value(value('payload')), '{"user_id": 12345678901234567890, "price": 1.10}');
    }));

  test('each line is a separate payload', async () =>
    withPage(await state({ keys: 'camelCase', records: { onError: 'skip' }, dates: { at: 'at_a', from: 'rfc3339' } }, '{"a_b": 1}\n{"at_a": "x"}\n{"at_a":\n', { framing: 'lines' }), async (tab) => {
      assert.equal(await tab.value(value('output')), '{"aB":1}\n');
      assert.match(await tab.value(text('output-messages')), /2 bad records skipped/);
      assert.deepEqual(await tab.value(marked('error')), []);
    }));

  test('the sizes equal those of gzip', async () => {
    const payload = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ identifier: id, description: `number ${id * 7919}` })), null, 2);
    const output = payload.replaceAll('identifier', 'i').replaceAll('description', 'd');
    const compact = [payload, JSON.stringify(JSON.parse(payload)), JSON.stringify(JSON.parse(output))];
    await withPage(await state({ rename: { identifier: 'i', description: 'd' } }, payload), async (tab) => {
      const rows = await tab.value(`[...document.querySelectorAll('#sizes tbody tr')]
        .map((row) => [...row.cells].slice(1).map((cell) => cell.textContent.replaceAll(',', '')))`);
      compact.forEach((each, index) => {
        assert.equal(Number(rows[index][0]), Buffer.byteLength(each));
        const gzipped = gzipSync(each).length;
        assert.ok(Math.abs(Number(rows[index][1]) - gzipped) < gzipped / 8, `${rows[index][1]} beside ${gzipped}`);
      });
      const saved = 100 - (100 * compact[2].length) / compact[1].length;
      assert.equal(rows[3][0], `${saved.toFixed(1)} %`);
    });
  });

  test('a payload of megabytes does not stop the page', async () =>
    withPage(pageURL, async (tab) => {
      await tab.value(`(async () => {
        const payload = Array.from({ length: 30000 }, (_, id) => ({ firstName: 'name' + id, lastName: 'x'.repeat(20) }));
        document.getElementById('payload').value = JSON.stringify(payload);
        // The browser's own work for a long text does not count.
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        globalThis.gaps = [];
        let last = performance.now();
        setInterval(() => {
          gaps.push(performance.now() - last);
          last = performance.now();
        }, 5);
      })()`);
      await tab.converting(() => tab.value("document.getElementById('payload').dispatchEvent(new Event('input'))"));
      assert.match(await tab.value(text('output-messages')), /only the beginning is shown/);
      assert.match((await tab.value(value('output'))).slice(0, 60), /^\[\n {2}\{\n {4}"fn": "name0"/);
      const longest = await tab.value('Math.max(...gaps)');
      assert.ok(longest < 1500, `${longest} ms`);
    }));
});

describe('errors', () => {
  test('an error in the profile is underlined and has a message, a hint and a link', async () =>
    withPage(await state('{\n  "keys": "camelCase",\n  "é": 1, "renme": {}\n}', '{}'), async (tab) => {
      assert.deepEqual(await tab.value(marked('error')), ['"é"', '"renme"']);
      const messages = await tab.value(text('profile-messages'));
      assert.match(messages, /3:3.*unknown key/s);
      // Columns count bytes.
      assert.match(messages, /3:12.*unknown key.*did you mean rename\?/s);
      assert.equal(await tab.value("document.getElementById('profile').getAttribute('aria-invalid')"), 'true');
      assert.match(await tab.value("document.getElementById('status').textContent"), /^2 errors\. Line 3: unknown key/);
      await tab.press('F8');
      assert.equal(await tab.value("(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)"), '"é"');
      await tab.fill('profile', '{"keys": "camelCase"}');
      assert.deepEqual(await tab.value(marked('error')), []);
      assert.equal(await tab.value(text('profile-messages')).then((each) => each.includes('unknown key')), false);
    }));

  test('an error in the payload is underlined where it is', async () =>
    withPage(await state({ dates: { at: '/at', from: 'rfc3339' } }, '{\n  "at": "yesterday"\n}'), async (tab) => {
      assert.deepEqual(await tab.value(marked('error')), ['"yesterday"']);
      assert.match(await tab.value(text('payload-messages')), /2:9/);
      const { box, area } = await tab.value(`(() => {
        const [mark] = CSS.highlights.get('error');
        const range = new Range();
        range.setStart(mark.startContainer, mark.startOffset);
        range.setEnd(mark.endContainer, mark.endOffset);
        return { box: range.getBoundingClientRect().toJSON(), area: document.getElementById('payload').getBoundingClientRect().toJSON() };
      })()`);
      // The second line: behind 12 pixels of space, each line has 20.
      assert.ok(Math.abs(box.top - area.top - 12 - 20) < 6 && box.left > area.left && box.right < area.right, JSON.stringify({ box, area }));
    }));

  test('a profile without an inverse gives an error in the inverse direction', async () =>
    withPage(await state({ keys: 'camelCase' }, '{"a_b": 1}'), async (tab) => {
      assert.equal(await tab.value(text('reversible')), 'one way');
      await tab.converting(() => tab.value(turn('inverse')));
      assert.match(await tab.value(text('profile-messages')), /from/);
      assert.equal(await tab.value(value('output')), '');
    }));
});

describe('completion', () => {
  test('keys, values and paths of the payload are completed where they are valid', async () =>
    withPage(await state('{\n  "dates": {  },\n  "rename": {  }\n}', '{"user": {"first_name": "Ada"}, "list": [{"id": 1}]}'), async (tab) => {
      const profile = await tab.value(value('profile'));
      await tab.value(caret('profile', profile.indexOf('{  }') + 2));
      await tab.press('Control+Space');
      assert.deepEqual(await tab.value(options), ['at', 'from', 'to', 'precision', 'zone', 'assumeZone', 'badValue']);
      assert.match(await tab.value("document.querySelector('#suggestions li span').textContent"), /Where the dates are/);
      assert.equal(await tab.value("document.getElementById('profile').getAttribute('aria-activedescendant')"), 'suggestion-0');
      // `to`, and the list of its values follows.
      await tab.press('ArrowDown');
      await tab.press('ArrowDown');
      await tab.press('Enter');
      assert.ok((await tab.value(value('profile'))).startsWith('{\n  "dates": { "to":  }'));
      const values = await tab.value(options);
      assert.ok(values.includes('epoch-s') && values.includes('rfc3339') && !values.includes('auto'), values.join());
      await tab.press('Escape');
      assert.deepEqual(await tab.value(options), []);
      await tab.type('"epoch-m');
      assert.deepEqual(await tab.value(options), ['epoch-ms']);
      await tab.press('Enter');
      assert.ok((await tab.value(value('profile'))).startsWith('{\n  "dates": { "to": "epoch-ms" }'));

      const changed = await tab.value(value('profile'));
      await tab.value(caret('profile', changed.lastIndexOf('{  }') + 2));
      await tab.press('Control+Space');
      const paths = await tab.value(options);
      for (const path of ['first_name', '/user/first_name', '/list/*/id']) assert.ok(paths.includes(path), `${path} in ${paths}`);
      await tab.press('Escape');
      await tab.press('Tab');
      assert.notEqual(await tab.value('document.activeElement.id'), 'profile', 'Tab leaves the editor');
      await tab.until("document.getElementById('status').textContent !== ''");
    }));

  test('undo removes a completion', async () =>
    withPage(await state('{ }', '{}'), async (tab) => {
      await tab.value(caret('profile', 2));
      await tab.type('"');
      assert.equal(await tab.value(value('profile')), '{ ""}');
      assert.equal((await tab.value(options))[0], '$schema');
      await tab.type('ke');
      assert.deepEqual((await tab.value(options)).slice(0, 2), ['keys', 'keep']);
      await tab.press('Enter');
      assert.equal(await tab.value(value('profile')), '{ "keys": }');
      await tab.value("document.execCommand('undo')");
      // The browser may count the typing as a part of it.
      assert.match(await tab.value(value('profile')), /^\{ "(ke)?"\}$/);
      // A quote before a quote steps over it, and nothing is offered behind it.
      await tab.fill('profile', '{ "ke"}');
      await tab.value(caret('profile', 5));
      await tab.type('"');
      assert.equal(await tab.value(value('profile')), '{ "ke"}');
      assert.equal(await tab.value("document.getElementById('profile').selectionStart"), 6);
      assert.deepEqual(await tab.value(options), []);
    }));
});

describe('explaining', () => {
  const profile = { rename: { '/user/name': 'label', '/nmae': 'x' }, dates: { at: '/list/*/at', from: 'epoch-s' }, drop: '/secret' };
  const payload = '{\n  "user": {"name": "Ada"},\n  "list": [{"at": 0}, {"at": 1}],\n  "secret": 1\n}';

  test('a click on a value of the output shows its rule and its source', async () =>
    withPage(await state(profile, payload), async (tab) => {
      await tab.clickText('output', '"Ada"');
      assert.match(await tab.value(text('value')), /\/user\/label in the output comes from\s*\/user\/name in the payload/);
      assert.match(await tab.value(text('value')), /rename "\/user\/name"/);
      assert.deepEqual((await tab.value(marked('chosen'))).sort(), ['"/user/name": "label"', '"label": "Ada"', '"name": "Ada"']);
      await tab.clickText('output', '1970-01-01T00:00:01Z');
      assert.match(await tab.value(text('value')), /\/list\/1\/at in the output comes from\s*\/list\/1\/at in the payload/);
      assert.match(await tab.value(text('value')), /dates "\/list\/\*\/at"/);
      // The same value in the payload.
      await tab.value("document.querySelector('#value .link').click()");
      assert.equal(await tab.value('document.activeElement.id'), 'payload');
      assert.match(await tab.value(text('value')), /in the payload becomes\s*\/list\/1\/at in the output/);
    }));

  test('the inverse direction is explained by the same rules', async () =>
    withPage(await state({ rename: { '/user/name': 'label' } }, '{"user": {"label": "Ada"}}', { direction: 'inverse' }), async (tab) => {
      await tab.clickText('output', '"Ada"');
      assert.match(await tab.value(text('value')), /\/user\/name in the output comes from\s*\/user\/label in the payload/);
      await tab.clickText('profile', '"label"');
      assert.deepEqual((await tab.value(marked('effect'))).sort(), ['"label": "Ada"', '"name": "Ada"']);
    }));

  test('a click on a removed value of the payload shows the reason', async () =>
    withPage(await state(profile, payload), async (tab) => {
      await tab.clickText('payload', '"secret"');
      assert.match(await tab.value(text('value')), /\/secret in the payload is not in the output/);
      assert.match(await tab.value(text('value')), /drop/);
    }));

  test('no path is shown for a value if the report does not contain it', async () => {
    const rows = [
      { profile: { flatten: '/a' }, payload: '{"a": {"b": 101}, "c": 102}', lost: [101] },
      { profile: { drop: '/l/0' }, payload: '{"l": [101, 102]}', lost: [102], gone: [101] },
      { profile: { prune: { null: true, inArrays: true } }, payload: '{"l": [null, 101, null, {"a": null, "b": 102}]}', lost: [101, 102] },
      {
        profile: { keys: 'camelCase', records: { at: '/l/*', onError: 'skip' }, dates: { at: '/l/*/d_d', from: 'rfc3339' } },
        payload: '{"l": [\n{"d_d": "x", "v_v": 101},\n{"v_v": 102},\n{"v_v": 103}]}', lost: [102, 103], gone: [101],
      },
    ];
    for (const { profile: document, payload: source, lost, gone = [] } of rows) {
      await withPage(await state(document, source), async (tab) => {
        for (const each of [101, 102, 103].filter((number) => source.includes(number))) {
          for (const side of gone.includes(each) ? ['payload'] : ['payload', 'output']) {
            await tab.clickText(side, String(each));
            const expected = gone.includes(each) ? /is not in the output/ : lost.includes(each) ? /is not known/ : /becomes|comes from/;
            assert.match(await tab.value(text('value')), expected, `${source}: ${each} in the ${side}`);
          }
        }
      });
    }
  });

  test('a profile with an error explains no value by the rules before the error', async () =>
    withPage(await state({ rename: { a: 'b' } }, '{"a": 1}'), async (tab) => {
      await tab.fill('profile', '{"rename": {"c": "d"}, "kes": 1}');
      await tab.clickText('payload', '"a"');
      assert.match(await tab.value(text('value')), /^Click a value/);
      await tab.fill('profile', '{"rename": {"a": "d"}}');
      await tab.clickText('payload', '"a"');
      assert.match(await tab.value(text('value')), /becomes\s*\/d in the output/);
    }));

  test('a click on a rule marks its effects, and rules without effect have a reason', async () =>
    withPage(await state(profile, payload), async (tab) => {
      assert.match(await tab.value(text('rules')), /RULES WITHOUT EFFECT\s*rename "\/nmae"\s*.+/i);
      await tab.value("[...document.querySelectorAll('#rules .rule')].find((each) => each.textContent.includes('dates')).click()");
      const marks = await tab.value(marked('effect'));
      assert.equal(marks.length, 4, marks.join());
      assert.equal(await tab.value('document.activeElement.id'), 'profile');
      // A click in the profile's text does the same.
      await tab.clickText('profile', '"label"');
      assert.deepEqual(await tab.value(marked('effect')), ['"name": "Ada"', '"label": "Ada"']);
    }));
});
