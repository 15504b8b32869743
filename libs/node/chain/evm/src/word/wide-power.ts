import module from '../generated/word-power.js';
import { BIG_NUMBER_LIMIT, type Word } from './word.js';

/** Where the module has exponent, base and result. */
const EXPONENT = 0;
const BASE = 4;
const RESULT = 8;

/*
 * One instance serves all callers: a power is computed synchronously. With BigInts, each of up to 500 products allocates
 * two numbers, and a power of 32 bytes took 46 ns a unit of its gas.
 */
const exports = instantiate();
const words = new BigUint64Array(exports.memory.buffer, 0, 12);

/** base ^ exponent mod 2^256 for an exponent above zero. */
export function widePower(base: bigint, exponent: bigint): Word {
  put(BASE, base);
  put(EXPONENT, exponent);
  exports.power();
  const low = words[RESULT] as bigint;
  const second = words[RESULT + 1] as bigint;
  const third = words[RESULT + 2] as bigint;
  const high = words[RESULT + 3] as bigint;
  const result = (((((high << 64n) | third) << 64n) | second) << 64n) | low;
  return result < BIG_NUMBER_LIMIT ? Number(result) : result;
}

/** Each element takes the lowest 64 bits of what is assigned. */
function put(at: number, word: bigint): void {
  words[at] = word;
  words[at + 1] = word >> 64n;
  words[at + 2] = word >> 128n;
  words[at + 3] = word >> 192n;
}

/** The exports of `assembly/word-power.ts`. */
interface WordPower {
  readonly memory: { readonly buffer: ArrayBuffer };
  power(): void;
}

function instantiate(): WordPower {
  const compiled = new WebAssembly.Module(Buffer.from(module, 'base64'));
  return new WebAssembly.Instance(compiled, {}).exports as WordPower;
}

/** The part of the WebAssembly interface used here; the types of Node.js leave it to those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: unknown };
};
