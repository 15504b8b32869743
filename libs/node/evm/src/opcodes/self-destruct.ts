import { WRITES, type Frame } from '../machine/frame.js';
import { GAS, charge } from '../machine/gas.js';
import type { Machine } from '../machine/machine.js';
import { NOTHING } from '../machine/memory.js';
import type { Handler } from '../machine/signal.js';
import type { Account } from '../world/account.js';
import { addressWord, type Word } from '../word/word.js';
import { markWarm } from './accounts.js';
import { refuseWrite } from './storage.js';

const selfDestruct: Handler = (machine, frame) => {
  const beneficiary = machine.accountOf(frame, addressWord(machine.stack[frame.top - 1] as Word));
  if (beneficiary === undefined) return machine.stopForMissing();
  if (!charge(machine, frame, price(machine, frame, beneficiary))) return machine.signal;
  if (frame.writes !== WRITES.allowed) return refuseWrite(machine, frame);
  markWarm(machine, beneficiary);
  if (machine.rules.lastingContracts && frame.account.createdIn !== machine.journal.transaction) {
    empty(machine, frame.account, beneficiary);
  } else {
    destroy(machine, frame.account, beneficiary);
  }
  return machine.finish(frame, NOTHING);
};

function price(machine: Machine, { account }: Frame, beneficiary: Account): number {
  const { rules } = machine;
  const { gas } = rules;
  let price = gas.selfDestruct;
  if (rules.accessSets && !machine.isWarm(beneficiary)) price += gas.coldAccount;
  if (rules.paidBeneficiary) {
    const isNew = rules.noEmptyAccounts ? beneficiary.isDead && account.balance !== 0 : !beneficiary.exists;
    if (isNew) price += GAS.newAccount;
  }
  return price;
}

/** EIP-6780: a contract of an earlier transaction loses its balance and nothing else. */
function empty(machine: Machine, account: Account, beneficiary: Account): void {
  const { balance } = account;
  account.debit(balance);
  beneficiary.credit(balance);
  announce(machine, account, beneficiary, balance);
}

/** What a contract sends to itself is lost with it. */
function destroy(machine: Machine, account: Account, beneficiary: Account): void {
  const { rules, journal } = machine;
  const { balance } = account;
  if (account.destroyedIn !== journal.transaction) journal.refund += rules.gas.selfDestructRefund;
  beneficiary.credit(balance);
  account.debit(account.balance);
  account.destroy();
  announce(machine, account, beneficiary, balance);
}

function announce({ hooks }: Machine, from: Account, to: Account, value: Word): void {
  if (value !== 0) hooks?.moved?.({ from, to, value });
}

export const SELF_DESTRUCT_HANDLERS: Readonly<Record<number, Handler>> = { 0xff: selfDestruct };
