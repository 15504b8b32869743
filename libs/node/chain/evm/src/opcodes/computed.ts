import { keccakView } from '@tetrad/crypto';
import { GAS, charge, memoryGas, wordCount } from '../interpreter/gas.js';
import type { Handler } from '../interpreter/evm-interface.js';
import { SIGNAL } from '../interpreter/signal.js';
import { power } from '../word/arithmetic.js';
import { readWord, type Word } from '../word/word.js';

/** EXP: paid by the bytes of the exponent. */
const exp: Handler = (evm, frame) => {
  const { stack } = evm;
  const exponent = stack[frame.top - 2] as Word;
  if (!charge(evm, frame, evm.rules.gas.expByte * byteLength(exponent))) return evm.signal;
  const top = --frame.top;
  stack[top - 1] = power(stack[top] as Word, exponent);
  return SIGNAL.next;
};

function byteLength(word: Word): number {
  if (word === 0) return 0;
  return Math.ceil(word.toString(16).length / 2);
}

const keccak: Handler = (evm, frame) => {
  const { stack } = evm;
  const offset = stack[frame.top - 1] as Word;
  const size = stack[frame.top - 2] as Word;
  const gas = GAS.keccakWord * wordCount(size) + memoryGas(frame, offset, size);
  if (!charge(evm, frame, gas)) return evm.signal;
  frame.top--;
  stack[frame.top - 1] = readWord(keccakView(frame.memory.area(offset, size)), 0);
  return SIGNAL.next;
};

/** Opcodes whose gas depends on the size of what they compute with. */
export const COMPUTED_HANDLERS: Readonly<Record<number, Handler>> = { 0x0a: exp, 0x20: keccak };
