import type { Handler } from '../interpreter/evm-interface.js';
import { SIGNAL } from '../interpreter/signal.js';
import * as arithmetic from '../word/arithmetic.js';
import * as bits from '../word/bits.js';
import * as comparison from '../word/comparison.js';
import type { Word } from '../word/word.js';

const unary =
  (operation: (a: Word) => Word): Handler =>
  ({ stack }, frame) => {
    stack[frame.top - 1] = operation(stack[frame.top - 1] as Word);
    return SIGNAL.next;
  };

const binary =
  (operation: (a: Word, b: Word) => Word): Handler =>
  ({ stack }, frame) => {
    const top = --frame.top;
    stack[top - 1] = operation(stack[top] as Word, stack[top - 1] as Word);
    return SIGNAL.next;
  };

const ternary =
  (operation: (a: Word, b: Word, c: Word) => Word): Handler =>
  ({ stack }, frame) => {
    const top = (frame.top -= 2);
    stack[top - 1] = operation(stack[top + 1] as Word, stack[top] as Word, stack[top - 1] as Word);
    return SIGNAL.next;
  };

/** Opcodes that compute words from words. */
export const WORD_HANDLERS: Readonly<Record<number, Handler>> = {
  0x01: binary(arithmetic.add),
  0x02: binary(arithmetic.multiply),
  0x03: binary(arithmetic.subtract),
  0x04: binary(arithmetic.divide),
  0x05: binary(arithmetic.divideSigned),
  0x06: binary(arithmetic.modulo),
  0x07: binary(arithmetic.moduloSigned),
  0x08: ternary(arithmetic.addModulo),
  0x09: ternary(arithmetic.multiplyModulo),
  0x0b: binary(arithmetic.signExtend),
  0x10: binary(comparison.lessThan),
  0x11: binary(comparison.greaterThan),
  0x12: binary(comparison.lessThanSigned),
  0x13: binary(comparison.greaterThanSigned),
  0x14: binary((a, b) => (a === b ? 1 : 0)),
  0x15: unary((a) => (a === 0 ? 1 : 0)),
  0x16: binary(bits.and),
  0x17: binary(bits.or),
  0x18: binary(bits.xor),
  0x19: unary(bits.not),
  0x1a: binary(bits.byteAt),
  0x1b: binary(bits.shiftLeft),
  0x1c: binary(bits.shiftRight),
  0x1d: binary(bits.shiftRightSigned),
  0x1e: unary(bits.leadingZeros),
};
