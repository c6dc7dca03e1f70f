// The package in node: the module is loaded from the file beside this one.
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { load } from './module.js';

load(new WebAssembly.Module(readFileSync(new URL('convert.wasm', import.meta.url))), webcrypto);

export * from './index.js';
