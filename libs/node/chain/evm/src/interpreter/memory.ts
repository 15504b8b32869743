import { readWord, writeWord, type Word } from '../word/word.js';

const FIRST_BYTES = 1_024;
/** Bytes of a memory that stay allocated when it returns to the pool. */
const KEPT_BYTES = 64 * 1024;
/** Costs 2.2 * 10^12 gas, which no block of a working chain has; a larger size is treated as unpayable (docs/adr/0088). */
export const MEMORY_LIMIT = 2 ** 30;

/** The memory of a frame: bytes that read as zero until they are written. */
export class Memory {
  /** Bytes that have been paid for, a multiple of 32. */
  size = 0;
  private bytes = new Uint8Array(FIRST_BYTES);
  private view = new DataView(this.bytes.buffer);

  /** Grows to at least `end` bytes, in whole words. */
  grow(end: number): void {
    if (end <= this.size) return;
    this.size = Math.ceil(end / 32) * 32;
    if (this.size <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.size, Math.min(this.bytes.length * 2, MEMORY_LIMIT)));
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  /** The word at an offset inside the size. */
  load(offset: number): Word {
    return readWord(this.view, offset);
  }

  store(offset: number, word: Word): void {
    writeWord(this.view, offset, word);
  }

  storeByte(offset: number, word: Word): void {
    this.bytes[offset] = typeof word === 'number' ? word & 0xff : Number(BigInt.asUintN(8, word));
  }

  /** Grows to an area that is paid for; its bytes, until the memory grows or is written. */
  area(offset: Word, size: Word): Uint8Array {
    if (size === 0) return NOTHING;
    const end = (offset as number) + (size as number);
    this.grow(end);
    return this.bytes.subarray(offset as number, end);
  }

  /** Copies `size` bytes of the source from `from` on; what lies behind its end is zero. */
  write(offset: number, source: Uint8Array, from: number, size: number): void {
    if (size === 0) return;
    const available = Math.max(0, Math.min(size, source.length - from));
    if (available > 0) this.bytes.set(source.subarray(from, from + available), offset);
    if (available < size) this.bytes.fill(0, offset + available, offset + size);
  }

  /** Copies inside the memory; the areas may overlap. */
  move(to: number, from: number, size: number): void {
    this.bytes.copyWithin(to, from, from + size);
  }

  /** Empties the memory for the next frame. */
  reset(): void {
    if (this.bytes.length > KEPT_BYTES) {
      this.bytes = new Uint8Array(FIRST_BYTES);
      this.view = new DataView(this.bytes.buffer);
    } else {
      this.bytes.fill(0, 0, this.size);
    }
    this.size = 0;
  }
}

/** Pool of memories of ended frames, for reuse. */
const idle: Memory[] = [];
const MAX_IDLE = 64;

/** An empty memory, reused from the pool when possible; to be given back by `returnMemory`. */
export function takeMemory(): Memory {
  return idle.pop() ?? new Memory();
}

/** Returns the memory to the pool; the caller must not use it afterwards. */
export function returnMemory(memory: Memory): void {
  memory.reset();
  if (idle.length < MAX_IDLE) idle.push(memory);
}

export const NOTHING = new Uint8Array(0);
