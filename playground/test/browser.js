// A headless Chromium, driven over the DevTools protocol through a pipe: no package and no WebSocket is needed.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = process.env.CHROMIUM ?? 'chromium';
const FLAGS = [
  '--headless=new', '--remote-debugging-pipe', '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking',
  '--disable-component-update', '--disable-default-apps', '--disable-extensions', '--disable-sync', '--hide-scrollbars', '--mute-audio', '--force-color-profile=srgb',
];
const PATIENCE_MILLISECONDS = 15_000;

export class Browser {
  #process;
  #directory = mkdtempSync(join(tmpdir(), 'playground-'));
  #waiting = new Map();
  #listeners = new Set();
  #nextID = 1;

  constructor() {
    // Chromium's sandbox refuses root, and tests visit no foreign page.
    const flags = process.getuid?.() === 0 ? [...FLAGS, '--no-sandbox'] : FLAGS;
    this.#process = spawn(PROGRAM, [...flags, `--user-data-dir=${this.#directory}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.#process.on('error', (error) => this.#end(error));
    this.#process.on('exit', (code) => this.#end(new Error(`${PROGRAM} has ended with ${code}`)));
    let rest = Buffer.alloc(0);
    this.#process.stdio[4].on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        this.#take(JSON.parse(rest.subarray(0, end).toString()));
        rest = rest.subarray(end + 1);
      }
    });
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#nextID++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, method });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  listen(listener) {
    this.#listeners.add(listener);
  }

  /** A tab with a page; if `isConverting` is false, does not wait for its load. Records the page's requests and complaints. */
  async open(url, options = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab(this, sessionId);
    await tab.prepare(options);
    if (options.isConverting === false) await tab.send('Page.navigate', { url });
    else await tab.go(url);
    return tab;
  }

  async close() {
    const hasEnded = new Promise((resolve) => this.#process.on('exit', resolve));
    this.send('Browser.close').catch(() => {});
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
    await hasEnded;
    clearTimeout(timer);
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  #take(message) {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
    else waiting.resolve(message.result);
  }

  #end(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

class Tab {
  requests = [];
  complaints = [];
  #browser;
  #session;
  #sessions;

  constructor(browser, session) {
    this.#browser = browser;
    this.#session = session;
    this.#sessions = new Set([session]);
    browser.listen((message) => this.#take(message));
  }

  async prepare({ width = 1280, height = 900, scheme = 'light', scale = 1, isMobile = false, script } = {}) {
    for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Audits']) await this.send(`${domain}.enable`);
    await this.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: isMobile });
    await this.setScheme(scheme);
    if (script) await this.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
  }

  send(method, params) {
    return this.#browser.send(method, params, this.#session);
  }

  setScheme(scheme) {
    return this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  /** Loads a page and waits until it has converted once. If only the fragment changes, loads about:blank first, so that the page loads again. */
  async go(url) {
    await this.send('Page.navigate', { url: 'about:blank' });
    this.requests.length = 0;
    await this.send('Page.navigate', { url });
    await this.until('document.documentElement.dataset.runs > 0');
  }

  /** The value of an expression in the page. Waits for the value of a promise. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true, userGesture: true });
    if (exceptionDetails) throw new Error(`${exceptionDetails.exception?.description ?? exceptionDetails.text}: ${expression}`);
    return result.value;
  }

  /** Waits until an expression is true. */
  async until(expression) {
    const end = Date.now() + PATIENCE_MILLISECONDS;
    for (;;) {
      const value = await this.value(expression).catch(() => undefined);
      if (value) return value;
      if (Date.now() > end) throw new Error(`never true: ${expression}; the page: ${await this.value('document.body?.innerText').catch(String)}; ${this.complaints}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Runs an action, and waits until the page has converted after it. */
  async converting(change) {
    const runs = await this.value('Number(document.documentElement.dataset.runs)');
    await change();
    await this.until(`document.documentElement.dataset.runs > ${runs}`);
  }

  /** Replaces the text of an editor, as if by pasting. */
  async fill(id, text) {
    await this.converting(async () => {
      await this.value(`document.getElementById('${id}').focus(), document.getElementById('${id}').select()`);
      await this.send('Input.insertText', { text });
    });
  }

  /** Presses a key, such as `Tab`, `Control+Space` or `Shift+Tab`. */
  async press(combination) {
    const names = combination.split('+');
    const name = names.pop();
    const modifiers = names.reduce((sum, modifier) => sum + { Alt: 1, Control: 2, Shift: 8 }[modifier], 0);
    const [key, code, number, text] = KEYS[name] ?? [name, `Key${name.toUpperCase()}`, name.toUpperCase().charCodeAt(0), name];
    const event = { key, code, windowsVirtualKeyCode: number, modifiers };
    await this.send('Input.dispatchKeyEvent', { type: text && !(modifiers & 3) ? 'keyDown' : 'rawKeyDown', text: modifiers & 3 ? undefined : text, ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** Types characters one by one. */
  async type(text) {
    for (const character of text) await this.send('Input.dispatchKeyEvent', { type: 'char', text: character });
  }

  async click(x, y) {
    for (const type of ['mousePressed', 'mouseReleased']) await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  }

  /** Clicks the first occurrence of a text in an editor. */
  async clickText(id, text) {
    const { x, y } = await this.value(`(() => {
      const area = document.getElementById('${id}');
      area.scrollIntoView({ block: 'center' });
      const node = area.previousElementSibling.firstChild;
      const range = new Range();
      const start = area.value.indexOf(${JSON.stringify(text)});
      range.setStart(node, start);
      range.setEnd(node, start + ${text.length});
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    await this.click(x, y);
  }

  async screenshot(options = {}) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', ...options });
    return Buffer.from(data, 'base64');
  }

  async close() {
    await this.send('Page.close').catch(() => {});
  }

  #take({ method, params, sessionId }) {
    if (!this.#sessions.has(sessionId)) return;
    switch (method) {
      case 'Target.attachedToTarget':
        // A worker: its requests are recorded too.
        this.#sessions.add(params.sessionId);
        for (const domain of ['Network', 'Runtime', 'Log']) this.#browser.send(`${domain}.enable`, {}, params.sessionId).catch(() => {});
        break;
      case 'Network.requestWillBeSent':
        this.requests.push(params.request.url);
        break;
      case 'Runtime.exceptionThrown':
        this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        break;
      case 'Runtime.consoleAPICalled':
        this.complaints.push(`console.${params.type}: ${params.args.map(({ value, description }) => value ?? description)}`);
        break;
      case 'Log.entryAdded':
        this.complaints.push(`${params.entry.level}: ${params.entry.text}`);
        break;
      case 'Audits.issueAdded':
        this.complaints.push(`issue: ${JSON.stringify(params.issue).slice(0, 400)}`);
        break;
      default:
    }
  }
}

/** The name, the code, the number and the text of keys. */
const KEYS = {
  Tab: ['Tab', 'Tab', 9],
  Enter: ['Enter', 'Enter', 13, '\r'],
  Escape: ['Escape', 'Escape', 27],
  Space: [' ', 'Space', 32, ' '],
  ArrowDown: ['ArrowDown', 'ArrowDown', 40],
  ArrowUp: ['ArrowUp', 'ArrowUp', 38],
  ArrowRight: ['ArrowRight', 'ArrowRight', 39],
  ArrowLeft: ['ArrowLeft', 'ArrowLeft', 37],
  Home: ['Home', 'Home', 36],
  End: ['End', 'End', 35],
  F8: ['F8', 'F8', 119],
  1: ['1', 'Digit1', 49, '1'],
  2: ['2', 'Digit2', 50, '2'],
  3: ['3', 'Digit3', 51, '3'],
};
