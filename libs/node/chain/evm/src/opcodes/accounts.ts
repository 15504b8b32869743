import { GAS, charge, memoryGas, wordCount } from '../interpreter/gas.js';
import type { Frame } from '../interpreter/frame.js';
import type { Evm, Handler } from '../interpreter/evm-interface.js';
import { SIGNAL } from '../interpreter/signal.js';
import type { GasTable } from '../forks/rules.js';
import type { Account } from '../world/account.js';
import { addressWord, toCount, wordFromHash, type Word } from '../word/word.js';
import { writeCopy } from './environment.js';

/** Gas to access an account, cold or warm. EIP-2929; 0 without access sets. */
export function accessGas(evm: Evm, account: Account): number {
  const { rules } = evm;
  if (!rules.accessSets) return 0;
  return evm.isWarm(account) ? rules.gas.warm : rules.gas.coldAccount;
}

/** Marks the account as accessed in the transaction (EIP-2929). */
export function markWarm({ rules }: Evm, account: Account): void {
  if (rules.accessSets) account.warm();
}

/** The account whose address is on top of the stack. */
function namedAccount(evm: Evm, frame: Frame): Account | undefined {
  return evm.accountOf(frame, addressWord(evm.stack[frame.top - 1] as Word));
}

const readOf =
  (price: keyof GasTable, read: (account: Account) => Word | undefined): Handler =>
  (evm, frame) => {
    const account = namedAccount(evm, frame);
    if (account === undefined) return evm.stopForMissing();
    const word = read(account);
    if (word === undefined) return evm.stopForMissing();
    const gas = evm.rules.gas[price] + accessGas(evm, account);
    if (!charge(evm, frame, gas)) return evm.signal;
    markWarm(evm, account);
    evm.stack[frame.top - 1] = word;
    return SIGNAL.next;
  };

const codeCopy: Handler = (evm, frame) => {
  const { stack } = evm;
  const account = namedAccount(evm, frame);
  if (account === undefined) return evm.stopForMissing();
  const code = account.world.code(account);
  if (code === undefined) return evm.stopForMissing();
  const to = stack[frame.top - 2] as Word;
  const from = toCount(stack[frame.top - 3] as Word);
  const size = stack[frame.top - 4] as Word;
  const gas =
    evm.rules.gas.extCodeCopy +
    accessGas(evm, account) +
    GAS.copyWord * wordCount(size) +
    memoryGas(frame, to, size);
  if (!charge(evm, frame, gas)) return evm.signal;
  markWarm(evm, account);
  frame.top -= 4;
  return writeCopy(frame, code.bytes, { to, from, size });
};

/** Opcodes that read any account. */
export const ACCOUNT_HANDLERS: Readonly<Record<number, Handler>> = {
  0x31: readOf('balance', ({ balance }) => balance),
  0x3b: readOf('extCodeSize', (account) => account.world.code(account)?.size),
  0x3c: codeCopy,
  0x3f: readOf('extCodeHash', (account) => (account.isDead ? 0 : wordFromHash(account.codeHash))),
};
