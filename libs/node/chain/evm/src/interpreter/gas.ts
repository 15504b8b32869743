import { toCount, type Word } from '../word/word.js';
import type { Frame } from './frame.js';
import { FAILURE } from './failure.js';
import type { Evm } from './evm-interface.js';
import { MEMORY_LIMIT } from './memory.js';
import { SIGNAL } from './signal.js';

/** Gas of parts of opcodes. Source: Yellow Paper, appendix G. */
export const GAS = {
  memoryWord: 3,
  copyWord: 3,
  keccakWord: 6,
  logByte: 8,
  callValue: 9_000,
  callStipend: 2_300,
  newAccount: 25_000,
  codeByte: 200,
  storeSet: 20_000,
  /** EIP-3860. */
  initCodeWord: 2,
} as const;

/**
 * Charges gas for an opcode.
 * @returns false when the opcode must return `evm.signal` instead of running
 */
export function charge(evm: Evm, frame: Frame, gas: number): boolean {
  const left = frame.gas - gas;
  // Negated, so that NaN counts as too high a price.
  if (!(left >= evm.floor)) return chargeBelowFloor(evm, frame, gas);
  frame.gas = left;
  return true;
}

function chargeBelowFloor(evm: Evm, frame: Frame, gas: number): boolean {
  if (frame.gas >= gas) {
    evm.signal = evm.endSlice(gas);
  } else if (frame.precise) {
    frame.unpaid = gas;
    evm.signal = evm.fail(frame, FAILURE.outOfGas);
  } else {
    evm.signal = SIGNAL.precise;
  }
  return false;
}

/** Gas to expand the memory to the end of an area; Infinity for an area that no amount of gas pays for. */
export function memoryGas(frame: Frame, offset: Word, size: Word): number {
  if (size === 0) return 0;
  const end = toCount(offset) + toCount(size);
  return end <= frame.memory.size ? 0 : growthGas(frame.memory.size, end);
}

/** The same for two areas of one opcode. */
export function memoryGasOfTwo(
  frame: Frame,
  first: { offset: Word; size: Word },
  second: { offset: Word; size: Word },
): number {
  return Math.max(memoryGas(frame, first.offset, first.size), memoryGas(frame, second.offset, second.size));
}

function growthGas(size: number, end: number): number {
  if (end > MEMORY_LIMIT) return Infinity;
  return wordsGas(Math.ceil(end / 32)) - wordsGas(size / 32);
}

function wordsGas(words: number): number {
  return GAS.memoryWord * words + Math.floor((words * words) / 512);
}

/** Number of 32-byte words that `size` bytes take, rounded up. */
export function wordCount(size: Word): number {
  return Math.ceil(toCount(size) / 32);
}
