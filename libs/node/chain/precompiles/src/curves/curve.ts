import { loadMclModule, type CurveName, type MclModule } from './mcl-module.js';

/** Sizes of mcl's values in its memory, whatever the curve: 48 bytes a field element. */
export const FIELD = 48;
export const SCALAR = 32;
export const G1 = 3 * FIELD;
export const G2 = 6 * FIELD;
export const GT = 12 * FIELD;

/** Size of the buffer for encoded numbers, in bytes. */
const BUFFER = 64;

/**
 * Values of one curve in the memory of a separate module: points are addresses there.
 *
 * Readers return whether the bytes are valid.
 */
export class Curve {
  private bytes: Uint8Array;
  private readonly buffer: number;

  private constructor(
    readonly mcl: MclModule,
    /** Bytes of a field element: 32, and 48 on BLS12-381. */
    readonly fieldSize: number,
  ) {
    this.bytes = new Uint8Array(mcl.wasmMemory.buffer);
    this.buffer = this.allocate(BUFFER);
  }

  static async load(name: CurveName): Promise<Curve> {
    return new Curve(await loadMclModule(name), name === 'bls12381' ? 48 : 32);
  }

  /**
   * Room in the module's memory.
   * @throws Error when it has none left
   */
  allocate(size: number): number {
    const at = this.mcl._malloc(size);
    if (at === 0) throw new Error('no memory left for curve points');
    return at;
  }

  free(at: number): void {
    this.mcl._free(at);
  }

  /** Copies bytes into the module's memory as they are, and returns where. */
  put(at: number, bytes: Uint8Array): number {
    this.memory().set(bytes, at);
    return at;
  }

  /** Copies within the module's memory. */
  copy(to: number, from: number, size: number): void {
    this.memory().copyWithin(to, from, from + size);
  }

  /** Reads a big-endian field element. False unless it is below the modulus. */
  readField(to: number, input: Uint8Array, offset: number): boolean {
    this.putReversed(input, offset, this.fieldSize);
    return this.mcl._mclBnFp_deserialize(to, this.buffer, this.fieldSize) !== 0;
  }

  /** Writes a field element as big-endian bytes. */
  writeField(field: number, output: Uint8Array, offset: number): void {
    this.mcl._mclBnFp_serialize(this.buffer, this.fieldSize, field);
    this.takeReversed(output, offset, this.fieldSize);
  }

  /** Reads 32 big-endian bytes modulo the group order. */
  readScalar(to: number, input: Uint8Array, offset: number): void {
    this.putReversed(input, offset, SCALAR);
    this.mcl._mclBnFr_setLittleEndianMod(to, this.buffer, SCALAR);
  }

  /** Reads 32 big-endian bytes. False unless they are below the group order. */
  readExactScalar(to: number, input: Uint8Array, offset: number): boolean {
    this.putReversed(input, offset, SCALAR);
    return this.mcl._mclBnFr_deserialize(to, this.buffer, SCALAR) !== 0;
  }

  /** Writes a scalar as 32 big-endian bytes. */
  writeScalar(scalar: number, output: Uint8Array, offset: number): void {
    this.mcl._mclBnFr_serialize(this.buffer, SCALAR, scalar);
    this.takeReversed(output, offset, SCALAR);
  }

  private putReversed(input: Uint8Array, offset: number, size: number): void {
    const memory = this.memory();
    const last = this.buffer + size - 1;
    for (let at = 0; at < size; at += 1) memory[last - at] = input[offset + at] as number;
  }

  private takeReversed(output: Uint8Array, offset: number, size: number): void {
    const memory = this.memory();
    const last = this.buffer + size - 1;
    for (let at = 0; at < size; at += 1) output[offset + at] = memory[last - at] as number;
  }

  /** A view of the memory; it is another one after it has grown. */
  private memory(): Uint8Array {
    if (this.bytes.length === 0) this.bytes = new Uint8Array(this.mcl.wasmMemory.buffer);
    return this.bytes;
  }
}
