import type { Word } from '@tetrad/node-evm';

/** The word in 64 digits, without 0x. */
export function digitsOf(word: Word): string {
  return word.toString(16).padStart(64, '0');
}

/** The words of a memory in 64 digits each, without 0x; its size is a multiple of 32. */
export function memoryWords(memory: Uint8Array): string[] {
  const digits = Buffer.from(memory.buffer, memory.byteOffset, memory.length).toString('hex');
  return Array.from({ length: memory.length / 32 }, (_, n) => digits.slice(n * 64, n * 64 + 64));
}
