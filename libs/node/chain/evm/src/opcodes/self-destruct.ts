import { WRITES, type Frame } from '../interpreter/frame.js';
import { GAS, charge } from '../interpreter/gas.js';
import type { Evm, Handler } from '../interpreter/evm-interface.js';
import { NOTHING } from '../interpreter/memory.js';
import type { Account } from '../world/account.js';
import { addressWord, type Word } from '../word/word.js';
import { markWarm } from './accounts.js';
import { refuseWrite } from './storage.js';

const selfDestruct: Handler = (evm, frame) => {
  const beneficiary = evm.accountOf(frame, addressWord(evm.stack[frame.top - 1] as Word));
  if (beneficiary === undefined) return evm.stopForMissing();
  if (!charge(evm, frame, price(evm, frame, beneficiary))) return evm.signal;
  if (frame.writes !== WRITES.allowed) return refuseWrite(evm, frame);
  markWarm(evm, beneficiary);
  if (evm.rules.lastingContracts && frame.account.createdIn !== evm.journal.transaction) {
    empty(evm, frame.account, beneficiary);
  } else {
    destroy(evm, frame.account, beneficiary);
  }
  return evm.finish(frame, NOTHING);
};

function price(evm: Evm, { account }: Frame, beneficiary: Account): number {
  const { rules } = evm;
  const { gas } = rules;
  let price = gas.selfDestruct;
  if (rules.accessSets && !evm.isWarm(beneficiary)) price += gas.coldAccount;
  if (rules.paidBeneficiary) {
    const isNew = rules.noEmptyAccounts ? beneficiary.isDead && account.balance !== 0 : !beneficiary.exists;
    if (isNew) price += GAS.newAccount;
  }
  return price;
}

/** EIP-6780: a contract of an earlier transaction loses its balance and nothing else. */
function empty(evm: Evm, account: Account, beneficiary: Account): void {
  const { balance } = account;
  account.debit(balance);
  beneficiary.credit(balance);
  announce(evm, account, beneficiary, balance);
}

/** Destroys the contract; with itself as the beneficiary its balance is burned. */
function destroy(evm: Evm, account: Account, beneficiary: Account): void {
  const { rules, journal } = evm;
  const { balance } = account;
  if (account.destroyedIn !== journal.transaction) journal.refund += rules.gas.selfDestructRefund;
  beneficiary.credit(balance);
  account.debit(account.balance);
  account.destroy();
  announce(evm, account, beneficiary, balance);
}

function announce({ hooks }: Evm, from: Account, to: Account, value: Word): void {
  if (value !== 0) hooks?.moved?.({ from, to, value });
}

export const SELF_DESTRUCT_HANDLERS: Readonly<Record<number, Handler>> = { 0xff: selfDestruct };
