import type { Frame, Evm, Word } from '@tetrad/node-evm';
import { OP } from './opcodes.js';

/** Receives the accounts and slots that opcodes name. */
export interface TouchSink {
  account(address: Word): void;
  slot(address: Word, slot: Word): void;
}

const ADDRESS_BITS = 160;

/** Words that a call must have on the stack for its operands to count, as in geth's tracers. */
const CALL_OPERANDS = 5;

/** Passes the accounts and slots named by the next opcode to the sink, also if the opcode then fails. */
export function noteTouches(
  { stack }: Evm,
  { top, base, account }: Frame,
  op: number,
  sink: TouchSink,
): void {
  const height = top - base;
  if (height === 0) return;
  const first = stack[top - 1] as Word;
  switch (op) {
    case OP.SLOAD:
    case OP.SSTORE:
      return sink.slot(account.key, first);
    case OP.BALANCE:
    case OP.EXTCODESIZE:
    case OP.EXTCODECOPY:
    case OP.EXTCODEHASH:
    case OP.SELFDESTRUCT:
      return sink.account(addressOf(first));
    case OP.CALL:
    case OP.CALLCODE:
    case OP.DELEGATECALL:
    case OP.STATICCALL:
      if (height >= CALL_OPERANDS) sink.account(addressOf(stack[top - 2] as Word));
  }
}

/** The low 160 bits, as a word. */
function addressOf(word: Word): Word {
  if (typeof word === 'number') return word;
  const address = BigInt.asUintN(ADDRESS_BITS, word);
  return address < BigInt(2 ** 53) ? Number(address) : address;
}
