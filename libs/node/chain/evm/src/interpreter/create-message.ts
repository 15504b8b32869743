import { EMPTY_CODE, type Code } from '../code/code.js';
import type { Account, AccountWorld } from '../world/account.js';
import type { Word } from '../word/word.js';
import { moveValue, writesIn } from './call-message.js';
import { FAILURE } from './failure.js';
import type { Frame } from './frame.js';
import type { Evm } from './evm-interface.js';
import { NOTHING } from './memory.js';
import type { Signal } from './signal.js';

/** A creation that is paid for; the nonce of its creator has been raised. */
export interface CreateMessage {
  readonly kind: 'CREATE' | 'CREATE2';
  readonly creator: Account;
  /** The new account. */
  readonly account: Account;
  readonly world: AccountWorld;
  readonly code: Code;
  readonly value: Word;
  readonly gas: number;
  readonly parent: Frame | undefined;
  readonly rejection: string | null;
}

/** Begins a creation: makes the account, moves its value and enters its init code. */
export function enterCreation(evm: Evm, message: CreateMessage): Signal {
  const { kind, creator, account, world, code, value, gas, parent } = message;
  if (evm.rules.accessSets) account.warm();
  const checkpoint = evm.journal.checkpoint();
  const failure = isTaken(account) ? FAILURE.addressCollision : message.rejection;
  if (failure === null) {
    account.markCreated();
    account.setNonce(evm.rules.noEmptyAccounts ? 1n : 0n);
    moveValue(evm, { from: creator, to: account, value });
  }
  const signal = evm.enter({
    kind,
    account,
    world,
    value,
    gas,
    checkpoint,
    depth: parent === undefined ? 0 : parent.depth + 1,
    codeAddress: account.key,
    // Code that does not run need not be decoded, but a listener gets to see it.
    code: failure === null || evm.listener !== undefined ? code : EMPTY_CODE,
    caller: creator.key,
    input: NOTHING,
    writes: writesIn(evm, kind, world, parent),
    outputAt: 0,
    outputSize: 0,
  });
  return failure === null ? signal : evm.fail(evm.frame as Frame, failure);
}

/** EIP-684, and EIP-7610: an account with a nonce, code or storage is not overwritten. */
function isTaken(account: Account): boolean {
  const hasStorage = !account.cleared && (account.stored?.hasStorage ?? false);
  return account.nonce !== 0n || account.codeHash !== EMPTY_CODE.hash || hasStorage;
}
