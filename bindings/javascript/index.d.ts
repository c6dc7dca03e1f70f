import type { ProfileDocument } from './profile.js';

export type { ProfileDocument };

// For `Symbol.dispose`, also without the library of `using`. The library declares it in the same words.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** UTF-8. */
export type Bytes = Uint8Array | ArrayBufferLike | ArrayBufferView;

/** UTF-8 in memory that is not shared, as `fetch` and `Blob` need it. Since TypeScript 5.7 this is `Uint8Array<ArrayBuffer>`. */
export type OutputBytes = ReturnType<Uint8Array['slice']>;

export type Direction = 'forward' | 'inverse';

/** `document` is one JSON text, `lines` is NDJSON: one JSON text on each line. */
export type Framing = 'document' | 'lines';

/** Where the module is: a path or URL to fetch, its response, its bytes, or the compiled module. */
export type ModuleSource = string | URL | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module. Call it once before anything else.
 *
 * In node, importing the package has loaded the module, and the call does nothing.
 *
 * @param source Without it, `convert.wasm` beside the package's `index.js`.
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void>;

/** Loads the module without waiting. Browsers may allow this only in a worker. */
export function initSync(source: BufferSource | WebAssembly.Module): void;

/**
 * Provides a file that profiles refer to. A module has no files of its own.
 *
 * @param path For a time zone, `/usr/share/zoneinfo/` and its name. For the key of `hash`, the path in the profile.
 * @param content For a time zone, its TZif file.
 */
export function provideFile(path: string, content: string | Bytes): void;

/** Provides an environment variable that profiles refer to: the key of `hash`. */
export function provideVariable(name: string, value: string | Bytes): void;

export interface ProfileOptions {
  /** The maximum number of open objects and arrays in a payload: at most 32,768. 0 means 512, the default. */
  maxDepth?: number;
  /** The maximum memory, in bytes, for the buffered parts of a payload: less than 2 GiB. 0 means 256 MiB, the default. */
  maxHeldBytes?: number;
}

export interface ConvertOptions {
  /** The default is `document`. */
  framing?: Framing;
}

export interface StreamOptions extends ConvertOptions {
  /** The default is `forward`. */
  direction?: Direction;
}

/**
 * A checked profile. It converts any number of payloads.
 *
 * Its memory is freed when it is garbage collected, or by `free()`.
 */
export class Profile {
  /**
   * @param document The profile: its JSON text, or the object of this text. The type `ProfileDocument` checks such an object.
   * @throws {ConvertError} with the code `profile` and all errors in `faults`.
   * @throws {TypeError} for an object that is not JSON, such as a promise or a `Response`; {RangeError} for another limit.
   */
  constructor(document: string | Bytes | ProfileDocument | object, options?: ProfileOptions);

  /**
   * Converts a whole payload. Returns a string for a string, and bytes for bytes.
   *
   * @throws {ConvertError} for the first error. The profile can be used further.
   */
  convert(payload: string, options?: ConvertOptions): string;
  convert(payload: Bytes, options?: ConvertOptions): OutputBytes;
  convert(payload: string | Bytes, options?: ConvertOptions): string | OutputBytes;

  /**
   * Converts a whole payload back: from the output's keys to the input's.
   *
   * @throws {ConvertError} for the first error, also if the profile has no inverse.
   */
  inverse(payload: string, options?: ConvertOptions): string;
  inverse(payload: Bytes, options?: ConvertOptions): OutputBytes;
  inverse(payload: string | Bytes, options?: ConvertOptions): string | OutputBytes;

  /**
   * A stream that converts one payload while it arrives. It buffers only the parts that the profile needs whole.
   *
   * Strings give strings, bytes give bytes: `stream<string>()` and `stream<Uint8Array>()` say which, unless `pipeThrough` does. An error in
   * the payload makes the stream fail with a `ConvertError`.
   */
  stream<Chunk extends string | Bytes = string | Bytes>(options?: StreamOptions): ConvertStream<Chunk, ConvertedChunk<Chunk>>;

  /**
   * The report of `POST /v1/profiles/check`: warnings, and whether the profile has an inverse.
   *
   * @param payload With a payload, `explanation` of the report describes the profile's effects on it.
   */
  check(payload?: string | Bytes, options?: { direction?: Direction }): Report;

  /** How many bad records the last `convert` or `inverse` has skipped or replaced by null. */
  readonly skippedRecords: number;

  /** Frees the memory now. The profile can still be used, and takes memory again. */
  free(): void;
  [Symbol.dispose](): void;
}

/** What a stream makes of a chunk. It is `any` if chunks may be strings and bytes. */
export type ConvertedChunk<Chunk> = [Chunk] extends [string] ? string : [Chunk] extends [Bytes] ? OutputBytes : any;

export interface ConvertStream<Chunk = string | Bytes, Output = any> extends TransformStream<Chunk, Output> {
  /** How many bad records were skipped or replaced by null, once the stream has ended. */
  readonly skippedRecords: number;
}

/** An error in a profile or a payload. It contains keys of the payload, but no values. */
export class ConvertError extends Error {
  /**
   * The kind of error: `json`, `limit`, `duplicateKey`, `require`, `badValue`, `collision`, `lossyKey`, `move` or `flatten` for a
   * payload, `profile` for a profile, and `memory` if the module gets no more memory.
   */
  readonly code: string;
  /** JSON Pointer to the value in the payload. */
  readonly pointer?: string;
  /** From 1, in the payload; in the profile for the code `profile`. */
  readonly line?: number;
  /** From 1, in bytes. */
  readonly column?: number;
  /** Bytes from the start of the payload. */
  readonly offset?: number;
  /** JSON Pointer to the rule in the profile. */
  readonly rule?: string;
  /** The text to write instead. */
  readonly hint?: string;
  /** All errors of a profile. */
  readonly faults?: Fault[];
}

export interface Fault {
  pointer: string;
  line: number;
  column: number;
  message: string;
  hint?: string;
}

export interface Report {
  valid: boolean;
  faults: Fault[];
  warnings: Fault[];
  /** The number of the profile's examples, and the examples that fail. */
  examples?: number;
  failedExamples?: Fault[];
  /** Whether the inverse direction restores payloads, the rules that it cannot undo, and the payloads that it restores. */
  invertible?: boolean;
  losses?: Fault[];
  conditions?: Fault[];
  explanation?: {
    effects: { in?: string; out?: string; pointer: string; rule: string; what: string; count: number }[];
    idleRules: { pointer: string; rule: string; reason: string }[];
    error?: { code?: string; message: string; pointer?: string };
  };
}
