import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

import * as entry from '../node.js';
import { provideZones, root } from './support.js';

const directory = new URL('../', import.meta.url);
const text = (path) => readFileSync(new URL(path, directory), 'utf8');
const manifest = JSON.parse(text('package.json'));

test('the package has the version of the last release, its files, and no dependencies', () => {
  const released = /^## \[([\d.]+)\]/m.exec(readFileSync(`${root}CHANGELOG.md`, 'utf8'));
  assert.equal(manifest.version, released[1]);
  for (const file of manifest.files) assert.ok(existsSync(new URL(file, directory)), file);
  for (const file of Object.values(manifest.exports['.'])) assert.ok(manifest.files.includes(file.slice(2)), file);
  assert.deepEqual(Object.keys(manifest).filter((key) => /dependencies/i.test(key)), []);
});

test('the types declare what the package exports', () => {
  const declared = [...text('index.d.ts').matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), Object.keys(entry).sort());
});

test('the type of a profile is that of its schema', () => {
  const types = execFileSync(process.execPath, [`${root}tools/profile-types.mjs`], { encoding: 'utf8' });
  assert.equal(text('profile.d.ts'), types, 'run tools/profile-types.mjs > bindings/javascript/profile.d.ts');
});

test('only node.js imports modules of node', () => {
  for (const file of ['index.js', 'module.js']) assert.doesNotMatch(text(file), /from 'node:/);
});

test('the module is loaded from bytes, a response and a compiled module, as in a browser', async () => {
  const bytes = readFileSync(new URL('convert.wasm', directory));
  const sources = [bytes, new Response(bytes), Promise.resolve(new Response(bytes)), await WebAssembly.compile(bytes)];
  for (const [index, source] of sources.entries()) {
    // Each import gives a separate module that is not loaded yet.
    const script = `
      const { init, Profile } = await import('${new URL('index.js', directory)}');
      globalThis.crypto ??= (await import('node:crypto')).webcrypto;
      let isRefused = false;
      try { new Profile('{}') } catch { isRefused = true }
      const bytes = (await import('node:fs')).readFileSync(new URL('${new URL('convert.wasm', directory)}'));
      const source = [bytes, new Response(bytes), Promise.resolve(new Response(bytes)), await WebAssembly.compile(bytes)][${index}];
      await Promise.all([init(source), init(source)]);
      console.log(isRefused, new Profile({ keys: 'camelCase' }).convert('{"a_b":1}'));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    assert.equal(output, 'true {"aB":1}\n', source.constructor.name);
  }
});

test('the package works in a worker', async () => {
  const { Worker } = await import('node:worker_threads');
  const script = `
    import('${new URL('index.js', directory)}').then(async ({ init, Profile }) => {
      const { parentPort, workerData } = await import('node:worker_threads');
      globalThis.crypto ??= (await import('node:crypto')).webcrypto;
      await init(workerData);
      parentPort.postMessage(new Profile({ keys: 'camelCase' }).convert('{"a_b":1}'));
    });`;
  const module = await WebAssembly.compile(readFileSync(new URL('convert.wasm', directory)));
  const worker = new Worker(script, { eval: true, workerData: module });
  assert.equal(await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject)), '{"aB":1}');
  await worker.terminate();
});

test('the examples of the example profiles pass', () => {
  provideZones();
  for (const file of readdirSync(`${root}examples/profiles`)) {
    const report = new entry.Profile(readFileSync(`${root}examples/profiles/${file}`)).check();
    assert.equal(report.valid, true, file);
    assert.deepEqual(report.failedExamples, [], file);
  }
});

test('the examples of the documentation print the output beside them', () => {
  for (const document of [`${root}docs/webassembly.md`, new URL('README.md', directory)]) {
    const examples = [...readFileSync(document, 'utf8').matchAll(/^```js\n(.*?)^```\n\n```text\n(.*?)^```/gms)];
    assert.ok(examples.length >= 1);
    for (const [, code, expected] of examples) {
      const script = code.replaceAll("'convert-json'", `'${new URL('node.js', directory)}'`);
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
      assert.equal(output, expected, code);
    }
  }
});
