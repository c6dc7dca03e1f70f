import { ConvertError, instance, isLoaded, kindOf, load, provide, toBytes } from './module.js';

export { ConvertError };

/** Loads the module from a module, its bytes, or their URL. Without a source, loads `convert.wasm` beside this file. */
export function init(source) {
  if (isLoaded()) return Promise.resolve();
  loading ??= loadFrom(source).finally(() => (loading = undefined));
  return loading;
}

let loading;

async function loadFrom(source) {
  let found = await (source ?? new URL('convert.wasm', import.meta.url));
  if (typeof found === 'string' || found instanceof URL) found = await fetch(found);
  if (typeof Response === 'function' && found instanceof Response) {
    if (!found.ok) throw new Error(`convert.wasm cannot be loaded: ${found.url} has the status ${found.status}`);
    found = await found.arrayBuffer();
  }
  load(found instanceof WebAssembly.Module ? found : await WebAssembly.compile(found));
}

/** Loads the module at once. A browser may allow that only in a worker. */
export function initSync(source) {
  if (!isLoaded()) load(source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source));
}

/** Provides a file that profiles refer to: the file of a time zone, or the key of `hash`. */
export const provideFile = (path, content) => provide(false, path, content);

/** Provides an environment variable that profiles refer to: the key of `hash`. */
export const provideVariable = (name, value) => provide(true, name, value);

const MAX_DEPTH = 32_768;
/** Sizes in the module are 32-bit numbers with a sign. */
const MAX_HELD_BYTES = 2 ** 31 - 1;

/** A checked profile. `index.d.ts` describes the methods. */
export class Profile {
  #document;
  #limits;
  #loaded;
  #lastConverter;

  constructor(document, { maxDepth = 0, maxHeldBytes = 0 } = {}) {
    this.#document = isData(document) ? toBytes(JSON.stringify(document)) : toBytes(document).slice();
    this.#limits = [limit('maxDepth', maxDepth, MAX_DEPTH), limit('maxHeldBytes', maxHeldBytes, MAX_HELD_BYTES)];
    this.#load();
  }

  convert(payload, options) {
    return this.#convert(payload, 'forward', options);
  }

  inverse(payload, options) {
    return this.#convert(payload, 'inverse', options);
  }

  stream({ direction, framing } = {}) {
    const { owner, profile } = this.#load();
    return new ConvertStream(owner, owner.addConverter(profile, isInverse(direction), hasLines(framing)));
  }

  check(payload, { direction } = {}) {
    const bytes = payload === undefined ? undefined : toBytes(payload);
    return instance().check(this.#document, bytes, isInverse(direction));
  }

  get skippedRecords() {
    return this.#lastConverter === undefined ? 0 : this.#loaded.owner.skippedRecords(this.#lastConverter);
  }

  free() {
    if (!this.#loaded) return;
    finalizers.unregister(this);
    this.#loaded.free();
    this.#loaded = undefined;
    this.#lastConverter = undefined;
  }

  #convert(payload, direction, { framing } = {}) {
    const { owner, converter } = this.#converter(isInverse(direction), hasLines(framing));
    try {
      if (typeof payload === 'string') {
        const output = new TextOutput();
        convertText(owner, converter, payload, output);
        return output.text;
      }
      const output = new ByteOutput();
      convertBytes(owner, converter, toBytes(payload), output);
      return output.bytes;
    } catch (error) {
      // After an error of its own the converter begins another payload. It knows nothing of others, such as an output that is too long.
      if (!(error instanceof ConvertError)) owner.reset(converter);
      throw error;
    }
  }

  #converter(isInverse, hasLines) {
    const loaded = this.#load();
    this.#lastConverter = loaded.converter(isInverse, hasLines);
    return { owner: loaded.owner, converter: this.#lastConverter };
  }

  /** Compiles the profile for the current instance, if it is not compiled yet. */
  #load() {
    const owner = instance();
    if (this.#loaded?.owner === owner) return this.#loaded;
    this.free();
    this.#loaded = new LoadedProfile(owner, owner.addProfile(this.#document, ...this.#limits));
    finalizers.register(this, this.#loaded, this);
    return this.#loaded;
  }
}
if (Symbol.dispose) Profile.prototype[Symbol.dispose] = Profile.prototype.free;

/** A stream that converts one payload. Its output is of the kind of its input: strings or bytes. */
class ConvertStream extends TransformStream {
  #conversion;

  constructor(owner, converter) {
    const conversion = new StreamConversion(owner, converter);
    super({
      transform: (chunk, controller) => conversion.feed(chunk, controller),
      flush: (controller) => conversion.finish(controller),
      cancel: () => conversion.free(),
    });
    this.#conversion = conversion;
  }

  get skippedRecords() {
    return this.#conversion.skippedRecords;
  }
}

// Frees the memory of objects that were not freed.
const finalizers = new FinalizationRegistry((owned) => owned.free());

/** A profile in one instance of the module, and its converters. */
class LoadedProfile {
  #converters = new Map();

  constructor(owner, profile) {
    this.owner = owner;
    this.profile = profile;
  }

  /** The converter for whole payloads. */
  converter(isInverse, hasLines) {
    const kind = (isInverse ? 2 : 0) + (hasLines ? 1 : 0);
    let converter = this.#converters.get(kind);
    if (!converter) {
      converter = this.owner.addConverter(this.profile, isInverse, hasLines);
      this.#converters.set(kind, converter);
    }
    return converter;
  }

  free() {
    for (const converter of this.#converters.values()) this.owner.freeConverter(converter);
    this.owner.freeProfile(this.profile);
  }
}

/** The payload of a stream. Its converter is freed when it ends. */
class StreamConversion {
  skippedRecords = 0;
  #owner;
  #converter;
  /** The decoder of the output, if the chunks are strings. */
  #text;
  /** The first half of a surrogate pair, if the last string ended between its halves. */
  #half = '';

  constructor(owner, converter) {
    this.#owner = owner;
    this.#converter = converter;
    // Not with the stream: its readable and its writable side, which may be all that is left of it, keep only its transformer.
    finalizers.register(this, { free: () => owner.freeConverter(converter) }, this);
  }

  feed(chunk, controller) {
    if (typeof chunk === 'string') {
      this.#text ??= new TextPieces();
      let text = this.#half + chunk;
      this.#half = '';
      if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
        this.#half = text.slice(-1);
        text = text.slice(0, -1);
      }
      this.#run(() => convertText(this.#owner, this.#converter, text, this.#sink(controller), false));
    } else {
      this.#run(() => {
        // Behind the half of a surrogate pair come bytes, so it stays a half.
        if (this.#half !== '') convertText(this.#owner, this.#converter, this.#half, this.#sink(controller), false);
        this.#half = '';
        convertBytes(this.#owner, this.#converter, toBytes(chunk), this.#sink(controller), false);
      });
    }
  }

  finish(controller) {
    this.#run(() => convertText(this.#owner, this.#converter, this.#half, this.#sink(controller), true));
    this.skippedRecords = this.#owner.skippedRecords(this.#converter);
    this.free();
  }

  free() {
    if (this.#converter === undefined) return;
    finalizers.unregister(this);
    this.#owner.freeConverter(this.#converter);
    this.#converter = undefined;
  }

  /** Runs a conversion. After an error, the payload is not converted further. */
  #run(conversion) {
    try {
      conversion();
    } catch (error) {
      this.free();
      throw error;
    }
  }

  #sink(controller) {
    return {
      append: (view) => {
        const piece = this.#text ? this.#text.decode(view) : view.slice();
        if (piece.length > 0) controller.enqueue(piece);
      },
    };
  }
}

function convertBytes(owner, converter, bytes, output, isWhole = true) {
  const { pieceBytes } = converter;
  let start = 0;
  while (bytes.length - start > pieceBytes) {
    owner.piece(converter).set(bytes.subarray(start, start + pieceBytes));
    output.append(owner.convert(converter, pieceBytes, false));
    start += pieceBytes;
  }
  owner.piece(converter).set(start === 0 ? bytes : bytes.subarray(start));
  output.append(owner.convert(converter, bytes.length - start, isWhole));
}

const encoder = new TextEncoder();

function convertText(owner, converter, text, output, isWhole = true) {
  let rest = text;
  for (;;) {
    const { read, written } = encoder.encodeInto(rest, owner.piece(converter));
    const isAll = read === rest.length;
    output.append(owner.convert(converter, written, isAll && isWhole));
    if (isAll) return;
    rest = rest.slice(read);
  }
}

/** Collects output in one array of bytes. */
class ByteOutput {
  /** Storage of the last long output, used again because new storage would cost more than the conversion. */
  static #kept = new Uint8Array();
  static #maxKeptBytes = 4 << 20;

  #storage;
  #count = 0;
  /** The first piece. Most payloads have no other. */
  #first;

  append(view) {
    if (!this.#first) {
      this.#first = view.slice();
      return;
    }
    if (!this.#storage) {
      this.#storage = ByteOutput.#kept;
      this.#add(this.#first);
    }
    this.#add(view);
  }

  #add(bytes) {
    const end = this.#count + bytes.length;
    if (end > this.#storage.length) {
      const larger = new Uint8Array(Math.max(end, this.#storage.length * 2));
      larger.set(this.#storage.subarray(0, this.#count));
      this.#storage = larger;
    }
    this.#storage.set(bytes, this.#count);
    this.#count = end;
  }

  get bytes() {
    if (!this.#storage) return this.#first;
    if (this.#storage.length <= ByteOutput.#maxKeptBytes) ByteOutput.#kept = this.#storage;
    return this.#storage.slice(0, this.#count);
  }
}

/** Collects output in a string. Pieces are decoded one by one, because ASCII pieces decode many times faster than a text with other characters. */
class TextOutput {
  text = '';
  #pieces = new TextPieces();

  append(view) {
    this.text += this.#pieces.decode(view);
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8 that is cut anywhere. TextDecoder can do that as a stream, but some implementations are slow then. */
class TextPieces {
  #rest;

  decode(view) {
    let bytes = view;
    if (this.#rest) {
      bytes = new Uint8Array(this.#rest.length + view.length);
      bytes.set(this.#rest);
      bytes.set(view, this.#rest.length);
    }
    const end = completeLength(bytes);
    this.#rest = end < bytes.length ? bytes.slice(end) : undefined;
    return decoder.decode(end < bytes.length ? bytes.subarray(0, end) : bytes);
  }
}

/** The number of bytes before a character that is cut off at the end. */
function completeLength(bytes) {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back];
    if (byte < 0x80) return length;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length - back : length;
  }
  return length;
}

/** Whether a value is one of JSON. The JSON text of other objects, such as a promise or a response, is `{}`: a profile without rules. */
const isData = (value) => ['Object', 'Array', 'Null', 'Number', 'Boolean'].includes(kindOf(value));

/** A limit; 0 is the default. The module would take another number for a different limit, such as 2 ** 32 for 0. */
function limit(name, value, maximum) {
  if (!Number.isInteger(value) || value < 0 || value > maximum) throw new RangeError(`${name}: expected a whole number from 0 to ${maximum}`);
  return value;
}

const isHighSurrogate = (unit) => unit >= 0xd800 && unit <= 0xdbff;

const isInverse = (direction = 'forward') => oneOf(direction, 'direction', 'forward', 'inverse');
const hasLines = (framing = 'document') => oneOf(framing, 'framing', 'document', 'lines');

/** Whether an option has its second value. */
function oneOf(value, name, first, second) {
  if (value !== first && value !== second) throw new TypeError(`expected '${first}' or '${second}' as ${name}`);
  return value === second;
}
