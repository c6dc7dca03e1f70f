// The WebAssembly module: its instance, its memory, its calls and its errors. index.js is the interface of the package.

/** An error in a profile or in a payload. `index.d.ts` describes its members. */
export class ConvertError extends Error {
  constructor({ message, ...members }) {
    super(message);
    Object.assign(this, members);
  }

  get name() {
    return 'ConvertError';
  }
}

let compiled;
let random;
let current;
/** Files and variables for later instances, by kind and name. */
const provided = new Map();

/** Whether a module was loaded. */
export const isLoaded = () => compiled !== undefined;

export function load(module, randomSource = crypto) {
  compiled = module;
  random = randomSource;
}

/**
 * The current instance.
 *
 * An instance that has run out of memory cannot continue. The next call gets another one.
 */
export function instance() {
  if (current?.isBroken === false) return current;
  if (!compiled) throw new Error('convert-json is not loaded: call `await init()` first');
  current = new Instance(compiled);
  for (const entry of provided.values()) current.provide(...entry);
  return current;
}

export function provide(isVariable, name, content) {
  const entry = [isVariable, toBytes(name), toBytes(content).slice()];
  if (isLoaded()) instance().provide(...entry);
  provided.set(`${isVariable} ${decoder.decode(entry[1])}`, entry);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The kind of a value, such as `Object` or `Promise`. Unlike `instanceof`, it knows values of other frames and contexts, too. */
export const kindOf = (value) => Object.prototype.toString.call(value).slice('[object '.length, -1);

/** The bytes of a string in UTF-8, or those of a buffer or view, without a copy. */
export function toBytes(value) {
  if (typeof value === 'string') return encoder.encode(value);
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const kind = kindOf(value);
  if (kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer') return new Uint8Array(value);
  const hint = kind === 'Object' || kind === 'Array' ? '; pass JSON.stringify(value)' : '';
  throw new TypeError(`expected a string, an ArrayBuffer or a view of one, found ${kind}${hint}`);
}

/** The memory of a larger input is not used again. */
const MAX_KEPT_BYTES = 1 << 20;

class Instance {
  isBroken = false;
  #exports;
  #bytes;
  #inputStart = 0;
  #inputSize = 0;

  constructor(module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports;
    this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    this.#exports.convert_seed(random.getRandomValues(new BigUint64Array(1))[0]);
  }

  // MARK: Input and output

  /** A current view of the memory: views become invalid when the memory grows. */
  get #memory() {
    const { buffer } = this.#exports.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return this.#bytes;
  }

  /** The `size` bytes of memory from which the next call takes its input. */
  input(size) {
    if (this.isBroken) throw outOfMemory();
    if (size > this.#inputSize || this.#inputSize > MAX_KEPT_BYTES) {
      this.#inputStart = this.#exports.convert_input(size) >>> 0;
      this.#inputSize = this.#inputStart === 0 ? 0 : size;
      if (this.#inputSize < size) throw outOfMemory();
    }
    return this.#memory.subarray(this.#inputStart, this.#inputStart + size);
  }

  /** Writes two arrays of bytes into the input, the second one directly after the first one. */
  #put(first, second) {
    const input = this.input(first.length + second.length);
    input.set(first);
    input.set(second, first.length);
  }

  /** The output of the last call: a view that is valid until the next call. */
  #output(size) {
    const start = this.#exports.convert_output() >>> 0;
    return this.#memory.subarray(start, start + size);
  }

  /** Calls the module. Throws the error that the module describes if the result is below zero. */
  #call(name, first, second, third) {
    let result;
    try {
      result = this.#exports[name](first, second, third);
    } catch (cause) {
      // The module traps only if it gets no memory.
      this.isBroken = true;
      throw outOfMemory(cause);
    }
    if (result < 0) throw new ConvertError(JSON.parse(decoder.decode(this.#output(-result))));
    return result;
  }

  // MARK: Calls

  provide(isVariable, name, content) {
    this.#put(name, content);
    this.#call('convert_provide', isVariable ? 1 : 0, name.length, content.length);
  }

  addProfile(document, maxDepth, maxHeldBytes) {
    this.#put(document, new Uint8Array());
    return this.#call('convert_profile', document.length, maxDepth, maxHeldBytes);
  }

  addConverter(profile, isInverse, hasLines) {
    const handle = this.#call('convert_converter', profile, isInverse ? 1 : 0, hasLines ? 1 : 0);
    return { handle, pieceBytes: this.#exports.convert_piece(handle) };
  }

  /** Memory for a piece of a payload. It is small, so that the piece and its output stay in the processor's cache. */
  piece(converter) {
    return this.input(converter.pieceBytes);
  }

  /** Converts the first `size` bytes of the input. The output is a view that is valid until the next call. */
  convert(converter, size, isLast) {
    return this.#output(this.#call(isLast ? 'convert_finish' : 'convert_feed', converter.handle, size));
  }

  /** Ends a payload that is not converted further. */
  reset(converter) {
    if (!this.isBroken) this.#exports.convert_reset(converter.handle);
  }

  skippedRecords(converter) {
    return this.#call('convert_skipped', converter.handle);
  }

  check(document, payload, isInverse) {
    this.#put(document, payload ?? new Uint8Array());
    const size = this.#call('convert_check', document.length, payload?.length ?? -1, isInverse ? 1 : 0);
    return JSON.parse(decoder.decode(this.#output(size)));
  }

  freeProfile(profile) {
    if (!this.isBroken) this.#exports.convert_free_profile(profile);
  }

  freeConverter(converter) {
    if (!this.isBroken) this.#exports.convert_free_converter(converter.handle);
  }
}

const outOfMemory = (cause) => new ConvertError({ code: 'memory', message: 'the module has no more memory', cause });
