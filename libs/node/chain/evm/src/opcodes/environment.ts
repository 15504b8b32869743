import type { Frame } from '../interpreter/frame.js';
import { FAILURE } from '../interpreter/failure.js';
import { GAS, charge, memoryGas, wordCount } from '../interpreter/gas.js';
import type { Evm, Handler } from '../interpreter/evm-interface.js';
import { SIGNAL, type Signal } from '../interpreter/signal.js';
import { toCount, wordAt, type Word } from '../word/word.js';

const push =
  (read: (evm: Evm, frame: Frame) => Word): Handler =>
  (evm, frame) => {
    evm.stack[frame.top++] = read(evm, frame);
    return SIGNAL.next;
  };

const dataLoad: Handler = ({ stack }, { input, top }) => {
  const offset = toCount(stack[top - 1] as Word);
  stack[top - 1] = offset >= input.length ? 0 : wordAt(input, offset);
  return SIGNAL.next;
};

/** Copies of data and code: what lies behind their end is zero. */
const copyOf =
  (read: (frame: Frame) => Uint8Array): Handler =>
  (evm, frame) => {
    const { stack } = evm;
    const to = stack[frame.top - 1] as Word;
    const from = toCount(stack[frame.top - 2] as Word);
    const size = stack[frame.top - 3] as Word;
    const gas = GAS.copyWord * wordCount(size) + memoryGas(frame, to, size);
    if (!charge(evm, frame, gas)) return evm.signal;
    frame.top -= 3;
    return writeCopy(frame, read(frame), { to, from, size });
  };

export function writeCopy(
  frame: Frame,
  bytes: Uint8Array,
  { to, from, size }: { to: Word; from: number; size: Word },
): Signal {
  if (size === 0) return SIGNAL.next;
  frame.memory.grow((to as number) + (size as number));
  frame.memory.write(to as number, bytes, from, size as number);
  return SIGNAL.next;
}

/** RETURNDATACOPY: nothing lies behind the end (EIP-211). */
const returnDataCopy: Handler = (evm, frame) => {
  const { stack } = evm;
  const to = stack[frame.top - 1] as Word;
  const from = toCount(stack[frame.top - 2] as Word);
  const size = stack[frame.top - 3] as Word;
  const gas = GAS.copyWord * wordCount(size) + memoryGas(frame, to, size);
  if (!charge(evm, frame, gas)) return evm.signal;
  if (from + (size as number) > frame.returnData.length) {
    return evm.fail(frame, FAILURE.returnDataBounds);
  }
  frame.top -= 3;
  return writeCopy(frame, frame.returnData, { to, from, size });
};

const blockHash: Handler = (evm, frame) => {
  const { stack, block, journal } = evm;
  const number = toCount(stack[frame.top - 1] as Word);
  const isRecent = number < block.number && number >= block.number - 256;
  const hash = isRecent ? block.blockHash(number) : 0;
  if (hash === undefined) {
    journal.miss(block, { kind: 'blockHash', number });
    return evm.stopForMissing();
  }
  stack[frame.top - 1] = hash;
  return SIGNAL.next;
};

/** BLOBHASH: no transaction of ours carries blobs. */
const blobHash: Handler = ({ stack }, frame) => {
  stack[frame.top - 1] = 0;
  return SIGNAL.next;
};

/** Opcodes that read the message, the transaction or the block. */
export const ENVIRONMENT_HANDLERS: Readonly<Record<number, Handler>> = {
  0x30: push((_machine, { account }) => account.key),
  0x32: push(({ origin }) => origin),
  0x33: push((_machine, { caller }) => caller),
  0x34: push((_machine, { value }) => value),
  0x35: dataLoad,
  0x36: push((_machine, { input }) => input.length),
  0x37: copyOf(({ input }) => input),
  0x38: push((_machine, { code }) => code.size),
  0x39: copyOf(({ code }) => code.bytes),
  0x3a: push(({ gasPrice }) => gasPrice),
  0x3d: push((_machine, { returnData }) => returnData.length),
  0x3e: returnDataCopy,
  0x40: blockHash,
  0x41: push(({ block }) => block.coinbase),
  0x42: push(({ block }) => block.timestamp),
  0x43: push(({ block }) => block.number),
  0x44: push(({ block, rules }) => (rules.randomness ? block.randomness : block.difficulty)),
  0x45: push(({ block }) => block.gasLimit),
  0x46: push(({ block }) => block.chainId),
  0x47: push((_machine, { account }) => account.balance),
  0x48: push(({ block }) => block.baseFee),
  0x49: blobHash,
  0x4a: push(({ block }) => block.blobBaseFee),
};
