import {
  addressFromWord,
  type AnsweredMessage,
  type Evm,
  type Frame,
  type StepListener,
  type Word,
} from '@tetrad/node-evm';
import type { Address } from '@tetrad/types';
import { ROLE } from './entries.js';

const SELFDESTRUCT = 0xff;

/** Records which accounts take part in an execution, without their calls: the memory does not grow with them. */
export class PartyRecorder implements StepListener {
  /** Whether anything was executed: a private transaction is not where the node is no party. */
  started = false;

  /** @param note - called for each account and role, again and again */
  constructor(private readonly note: (address: Address, role: number) => void) {}

  step({ stack }: Evm, { account, top, base }: Frame, op: number): void {
    if (op !== SELFDESTRUCT || top === base) return;
    this.called(account.key);
    this.called(lowAddress(stack[top - 1] as Word));
  }

  enter({ depth, parent, account, codeAddress, isCreation }: Frame): void {
    this.started = true;
    if (depth === 0 || parent === undefined) return;
    this.called(parent.account.key);
    this.called(account.key);
    if (isCreation) this.note(addressFromWord(account.key), ROLE.created);
    else this.called(codeAddress);
  }

  answered({ depth, caller, target, isPrecompile, value }: AnsweredMessage): void {
    this.started = true;
    // As in flat traces: a call of a precompile is of interest when it moves wei.
    if (depth === 0 || (isPrecompile && value === 0)) return;
    this.called(caller);
    this.called(target);
  }

  private called(address: Word): void {
    this.note(addressFromWord(address), ROLE.called);
  }
}

/** The address in the low bytes of a word of the stack. */
function lowAddress(word: Word): Word {
  return typeof word === 'number' ? word : BigInt.asUintN(160, word);
}
