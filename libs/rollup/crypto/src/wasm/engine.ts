import { FIELD_MODULUS } from '../field.js';
import { INTERNAL_DIAGONAL, deriveRoundConstants } from '../poseidon2-constants.js';
import { addCurveFunctions } from './curve-functions.js';
import { ELEMENT_BYTES, MONTGOMERY_RADIX, addFieldFunctions } from './field-functions.js';
import { ModuleWriter } from './module-writer.js';
import { addPermutation } from './poseidon2-functions.js';

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
  readonly Memory: new (descriptor: { readonly initial: number }) => {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  };
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

const PAGE = 65_536;
/** Four 64-bit words through which integers go in and out. */
const WORDS = 0;
const SCRATCH_ELEMENTS = 20;

/**
 * One instance of the field, hash and curve arithmetic with its memory. JavaScript runs one call at a time, so one
 * instance serves a thread. It never frees: what is allocated are tables and registers that live as long as the process.
 */
class FieldEngine {
  private readonly memory = new WebAssembly.Memory({ initial: 1 });
  private words = new BigUint64Array(this.memory.buffer);
  private free = 32;
  /** Address of the four elements that `permute` works on. */
  readonly state = this.allocate(4);
  readonly run: EngineExports;
  private readonly toMontgomery: number;
  private readonly fromMontgomery: number;
  /** Where reading puts what it reduces. */
  private readonly sink: number;

  constructor() {
    const roundConstants = deriveRoundConstants();
    const constants = this.allocate(roundConstants.length);
    const diagonal = this.allocate(INTERNAL_DIAGONAL.length);
    const scratch = this.allocate(SCRATCH_ELEMENTS);
    this.toMontgomery = this.allocate(1);
    this.fromMontgomery = this.allocate(1);
    this.sink = this.allocate(1);
    const writer = new ModuleWriter();
    const field = addFieldFunctions(writer);
    addPermutation(writer, field, { state: this.state, constants, diagonal, scratch });
    addCurveFunctions(writer, field, scratch);
    const module = new WebAssembly.Module(writer.encode());
    const instance = new WebAssembly.Instance(module, { env: { memory: this.memory } });
    this.run = instance.exports as EngineExports;
    this.unpack(this.toMontgomery, MONTGOMERY_RADIX ** 2n % FIELD_MODULUS);
    this.unpack(this.fromMontgomery, 1n);
    roundConstants.forEach((value, index) => this.write(constants + ELEMENT_BYTES * index, value));
    INTERNAL_DIAGONAL.forEach((value, index) => this.write(diagonal + ELEMENT_BYTES * index, value));
  }

  /** Room for that many elements. Out: its address. */
  allocate(elements: number): number {
    const address = this.free;
    this.free += ELEMENT_BYTES * elements;
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

/** The instance of this thread, made at the first use (about 30 ms). */
export function fieldEngine(): FieldEngine {
  return (shared ??= new FieldEngine());
}

export type { FieldEngine };
