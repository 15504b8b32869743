import { FIELD_MODULUS } from '../field.js';
import compiled from '../generated/field-engine.js';
import { INTERNAL_DIAGONAL, deriveRoundConstants } from '../poseidon2-constants.js';
import { DIAGONAL, ELEMENT_BYTES, FREE, MONTGOMERY_RADIX, ROUND_CONSTANTS, STATE, WORDS } from './layout.js';

/** Functions of the module; every argument is an address in its memory. */
interface EngineExports {
  multiply(result: number, a: number, b: number): void;
  square(result: number, a: number): void;
  add(result: number, a: number, b: number): void;
  subtract(result: number, a: number, b: number): void;
  unpack(element: number, words: number): void;
  pack(words: number, element: number): void;
  permute(): void;
  double(result: number, point: number): void;
  addAffine(result: number, point: number, affine: number): void;
  addPoint(result: number, point: number, other: number): void;
}

/** What of WebAssembly is used; its types come with those of browsers, which nothing else here needs. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const PAGE = 65_536;

/**
 * One instance of the field, hash and curve arithmetic with its memory. JavaScript runs one call at a time, so one
 * instance serves a thread. It never frees: what is allocated are tables and registers that live as long as the process.
 */
class FieldEngine {
  readonly run: EngineExports;
  /** Address of the four elements that `permute` works on. */
  readonly state = STATE;
  private readonly memory: Memory;
  private words: BigUint64Array;
  private free = FREE;
  private readonly toMontgomery = this.reserve(1);
  private readonly fromMontgomery = this.reserve(1);
  /** Where reading puts what it reduces. */
  private readonly sink = this.reserve(1);

  constructor() {
    const module = new WebAssembly.Module(Uint8Array.from(atob(compiled), (one) => one.charCodeAt(0)));
    const exports = new WebAssembly.Instance(module, {}).exports as EngineExports & {
      readonly memory: Memory;
    };
    this.run = exports;
    this.memory = exports.memory;
    this.words = new BigUint64Array(this.memory.buffer);
    this.unpack(this.toMontgomery, MONTGOMERY_RADIX ** 2n % FIELD_MODULUS);
    this.unpack(this.fromMontgomery, 1n);
    this.writeAll(ROUND_CONSTANTS, deriveRoundConstants());
    this.writeAll(DIAGONAL, INTERNAL_DIAGONAL);
  }

  /**
   * Room for that many elements.
   * @returns its address
   */
  allocate(elements: number): number {
    const address = this.reserve(elements);
    const missing = this.free - this.memory.buffer.byteLength;
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE));
      this.words = new BigUint64Array(this.memory.buffer);
    }
    return address;
  }

  /** Writes an integer of 0 to 2^256 − 1 as the element that is its residue. */
  write(element: number, value: bigint): void {
    this.unpack(element, value);
    this.run.multiply(element, element, this.toMontgomery);
  }

  /** Reads an element, below the modulus. */
  read(element: number): bigint {
    this.run.multiply(this.sink, element, this.fromMontgomery);
    this.run.pack(WORDS, this.sink);
    const words = this.words;
    const value =
      (words[0] as bigint) |
      ((words[1] as bigint) << 64n) |
      ((words[2] as bigint) << 128n) |
      ((words[3] as bigint) << 192n);
    return value >= FIELD_MODULUS ? value - FIELD_MODULUS : value;
  }

  copy(target: number, source: number, elements: number): void {
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.copyWithin(target, source, source + ELEMENT_BYTES * elements);
  }

  private reserve(elements: number): number {
    const address = this.free;
    this.free += ELEMENT_BYTES * elements;
    return address;
  }

  private writeAll(address: number, values: readonly bigint[]): void {
    values.forEach((value, index) => this.write(address + ELEMENT_BYTES * index, value));
  }

  private unpack(element: number, value: bigint): void {
    // A 64-bit element takes the lowest 64 bits of what is assigned.
    this.words[0] = value;
    this.words[1] = value >> 64n;
    this.words[2] = value >> 128n;
    this.words[3] = value >> 192n;
    this.run.unpack(element, WORDS);
  }
}

let shared: FieldEngine | undefined;

/** The instance of this thread, made at the first use (some milliseconds). */
export function fieldEngine(): FieldEngine {
  return (shared ??= new FieldEngine());
}

export type { FieldEngine };
