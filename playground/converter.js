// Requests to the engine. It runs in a worker, so that typing stays quick, or in the page if the browser allows no worker.

import * as engine from './engine.js';

/** Handles the page's requests in the worker. */
export function serve() {
  onmessage = async ({ data: { id, module, action, request } }) => {
    if (module) await engine.load(module);
    else postMessage({ id, result: await engine[action](request) });
  };
}

export class Converter {
  #worker;
  #module;
  #waiting = new Map();
  #nextID = 0;
  #isBusy = false;
  #pending;

  /** @param source the text of the page's script. The worker runs the same script. */
  async start(module, source) {
    this.#module = module;
    try {
      await this.#startWorker(source);
    } catch {
      this.#worker = undefined;
      await engine.load(module);
    }
  }

  get isInWorker() {
    return this.#worker !== undefined;
  }

  /** Converts and explains. If a newer request comes while this one waits, this one gives undefined and is not run. */
  async run(request) {
    if (this.#isBusy) {
      this.#pending?.(undefined);
      const isNext = await new Promise((resolve) => (this.#pending = resolve));
      if (!isNext) return undefined;
    }
    this.#isBusy = true;
    try {
      return await this.#call('run', request);
    } finally {
      this.#isBusy = false;
      const next = this.#pending;
      this.#pending = undefined;
      if (next) {
        this.#isBusy = true;
        next(true);
      }
    }
  }

  indent(request) {
    return this.#call('indent', request);
  }

  async #call(action, request) {
    if (!this.#worker) return engine[action](request);
    const id = this.#nextID++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker.postMessage({ id, action, request });
    });
  }

  async #startWorker(source) {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onmessage = ({ data: { id, result } }) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    };
    this.#worker = worker;
    worker.postMessage({ module: this.#module });
    const failure = new Promise((_, reject) => (worker.onerror = reject));
    await Promise.race([this.#call('indent', { payload: '0', framing: 'document' }), failure]);
    URL.revokeObjectURL(url);
    // If the worker ends, for example without memory, all waiting requests get an error.
    worker.onerror = () => {
      for (const resolve of this.#waiting.values()) resolve({ error: { code: 'page', message: 'the conversion has stopped; load the page again' } });
      this.#waiting.clear();
    };
  }
}
