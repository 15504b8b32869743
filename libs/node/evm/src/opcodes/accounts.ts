import { GAS, charge, memoryGas, wordCount } from '../machine/gas.js';
import type { Frame } from '../machine/frame.js';
import type { Machine } from '../machine/machine.js';
import { SIGNAL, type Handler } from '../machine/signal.js';
import type { GasTable } from '../forks/rules.js';
import type { Account } from '../world/account.js';
import { addressWord, toCount, wordFromHash, type Word } from '../word/word.js';
import { writeCopy } from './environment.js';

/** What touching an account costs before it is touched. EIP-2929; 0 without access sets. */
export function accessGas(machine: Machine, account: Account): number {
  const { rules } = machine;
  if (!rules.accessSets) return 0;
  return machine.isWarm(account) ? rules.gas.warm : rules.gas.coldAccount;
}

export function markWarm({ rules }: Machine, account: Account): void {
  if (rules.accessSets) account.warm();
}

/** The account whose address is on top of the stack. */
function namedAccount(machine: Machine, frame: Frame): Account | undefined {
  return machine.accountOf(frame, addressWord(machine.stack[frame.top - 1] as Word));
}

const readOf =
  (price: keyof GasTable, read: (account: Account) => Word | undefined): Handler =>
  (machine, frame) => {
    const account = namedAccount(machine, frame);
    if (account === undefined) return machine.stopForMissing();
    const word = read(account);
    if (word === undefined) return machine.stopForMissing();
    const gas = machine.rules.gas[price] + accessGas(machine, account);
    if (!charge(machine, frame, gas)) return machine.signal;
    markWarm(machine, account);
    machine.stack[frame.top - 1] = word;
    return SIGNAL.next;
  };

const codeCopy: Handler = (machine, frame) => {
  const { stack } = machine;
  const account = namedAccount(machine, frame);
  if (account === undefined) return machine.stopForMissing();
  const code = account.world.code(account);
  if (code === undefined) return machine.stopForMissing();
  const to = stack[frame.top - 2] as Word;
  const from = toCount(stack[frame.top - 3] as Word);
  const size = stack[frame.top - 4] as Word;
  const gas =
    machine.rules.gas.extCodeCopy +
    accessGas(machine, account) +
    GAS.copyWord * wordCount(size) +
    memoryGas(frame, to, size);
  if (!charge(machine, frame, gas)) return machine.signal;
  markWarm(machine, account);
  frame.top -= 4;
  return writeCopy(frame, code.bytes, { to, from, size });
};

/** What code may ask about any account. */
export const ACCOUNT_HANDLERS: Readonly<Record<number, Handler>> = {
  0x31: readOf('balance', ({ balance }) => balance),
  0x3b: readOf('extCodeSize', (account) => account.world.code(account)?.size),
  0x3c: codeCopy,
  0x3f: readOf('extCodeHash', (account) => (account.isDead ? 0 : wordFromHash(account.codeHash))),
};
