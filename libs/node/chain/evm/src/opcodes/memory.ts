import { GAS, charge, memoryGas, memoryGasOfTwo, wordCount } from '../interpreter/gas.js';
import { NOTHING } from '../interpreter/memory.js';
import type { Handler } from '../interpreter/evm-interface.js';
import { SIGNAL } from '../interpreter/signal.js';
import type { Word } from '../word/word.js';

const load: Handler = (evm, frame) => {
  const { stack } = evm;
  const offset = stack[frame.top - 1] as Word;
  if (!charge(evm, frame, memoryGas(frame, offset, 32))) return evm.signal;
  frame.memory.grow((offset as number) + 32);
  stack[frame.top - 1] = frame.memory.load(offset as number);
  return SIGNAL.next;
};

const store: Handler = (evm, frame) => {
  const { stack } = evm;
  const offset = stack[frame.top - 1] as Word;
  if (!charge(evm, frame, memoryGas(frame, offset, 32))) return evm.signal;
  frame.memory.grow((offset as number) + 32);
  frame.memory.store(offset as number, stack[frame.top - 2] as Word);
  frame.top -= 2;
  return SIGNAL.next;
};

const storeByte: Handler = (evm, frame) => {
  const { stack } = evm;
  const offset = stack[frame.top - 1] as Word;
  if (!charge(evm, frame, memoryGas(frame, offset, 1))) return evm.signal;
  frame.memory.grow((offset as number) + 1);
  frame.memory.storeByte(offset as number, stack[frame.top - 2] as Word);
  frame.top -= 2;
  return SIGNAL.next;
};

const size: Handler = (evm, frame) => {
  evm.stack[frame.top++] = frame.memory.size;
  return SIGNAL.next;
};

/** MCOPY (EIP-5656). */
const copy: Handler = (evm, frame) => {
  const { stack } = evm;
  const to = stack[frame.top - 1] as Word;
  const from = stack[frame.top - 2] as Word;
  const count = stack[frame.top - 3] as Word;
  const growth = memoryGasOfTwo(frame, { offset: to, size: count }, { offset: from, size: count });
  if (!charge(evm, frame, GAS.copyWord * wordCount(count) + growth)) return evm.signal;
  frame.top -= 3;
  if (count === 0) return SIGNAL.next;
  frame.memory.grow(Math.max(to as number, from as number) + (count as number));
  frame.memory.move(to as number, from as number, count as number);
  return SIGNAL.next;
};

const end =
  (reverts: boolean): Handler =>
  (evm, frame) => {
    const offset = evm.stack[frame.top - 1] as Word;
    const count = evm.stack[frame.top - 2] as Word;
    if (!charge(evm, frame, memoryGas(frame, offset, count))) return evm.signal;
    const output = frame.memory.area(offset, count).slice();
    return reverts ? evm.revert(frame, output) : evm.finish(frame, output);
  };

const stop: Handler = (evm, frame) => evm.finish(frame, NOTHING);

const gasLeft: Handler = (evm, frame) => {
  evm.stack[frame.top++] = frame.gas;
  return SIGNAL.next;
};

/** Memory, and how frames end. */
export const MEMORY_HANDLERS: Readonly<Record<number, Handler>> = {
  0x00: stop,
  0x51: load,
  0x52: store,
  0x53: storeByte,
  0x59: size,
  0x5a: gasLeft,
  0x5e: copy,
  0xf3: end(false),
  0xfd: end(true),
};
