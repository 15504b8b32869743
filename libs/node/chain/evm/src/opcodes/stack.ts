import type { Handler } from '../interpreter/evm-interface.js';
import { SIGNAL } from '../interpreter/signal.js';
import type { Word } from '../word/word.js';

const pop: Handler = (_machine, frame) => {
  frame.top--;
  return SIGNAL.next;
};

const duplicate =
  (depth: number): Handler =>
  ({ stack }, frame) => {
    stack[frame.top] = stack[frame.top - depth] as Word;
    frame.top++;
    return SIGNAL.next;
  };

const swap =
  (depth: number): Handler =>
  ({ stack }, frame) => {
    const top = frame.top - 1;
    const word = stack[top] as Word;
    stack[top] = stack[top - depth] as Word;
    stack[top - depth] = word;
    return SIGNAL.next;
  };

/** POP, DUP and SWAP. */
export const STACK_HANDLERS: Readonly<Record<number, Handler>> = {
  0x50: pop,
  ...Object.fromEntries(Array.from({ length: 16 }, (_, n) => [0x80 + n, duplicate(n + 1)])),
  ...Object.fromEntries(Array.from({ length: 16 }, (_, n) => [0x90 + n, swap(n + 1)])),
};
