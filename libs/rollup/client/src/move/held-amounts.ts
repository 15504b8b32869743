import type { RegisteredTransfer } from '@tetrad/rollup-chain';
import type { Account, AccountRecovery } from '@tetrad/rollup-state';
import type { Address } from '@tetrad/types';
import { isFrozen } from '../chain/is-frozen.js';
import type { RollupContract } from '../chain/rollup-contract.js';
import { rollupTokens } from '../chain/rollup-tokens.js';
import { DepositFollower } from '../exit/deposit-follower.js';
import type { PlannedTransfer } from '../exit/exit-options.js';
import { isWanted, type WantedTokens } from '../exit/wanted-tokens.js';
import type { Amounts } from './moved-totals.js';

/** What an account has in a rollup. */
export interface Held {
  /** In balances, orders and deposits of its own that wait, in base units; no token of which there is nothing. */
  readonly amounts: Amounts;
  /** In orders below the minimum, which stay. */
  readonly left: Amounts;
  /** Balances and orders that move, each of which is withdrawn by itself from a frozen contract. */
  readonly balances: number;
  readonly orders: number;
  /** Deposits for the account that no batch has taken, of the owner and of others. */
  readonly deposits: {
    readonly own: readonly RegisteredTransfer[];
    readonly foreign: readonly RegisteredTransfer[];
  };
}

/** Answers that are waited for at a time. */
const READS = 32;

/**
 * Reads what an account has in a rollup, as it can still be taken out: a frozen contract knows what was withdrawn from it, and
 * the account's own history does not.
 *
 * @param contract - the rollup
 * @param recovery - of the account, after the latest block
 * @param which - owner: the address of the account's keys; tokens: those that count; minimum: units of an order that moves, at
 *   least; fromBlock: the creation, or a block before
 * @returns all of it
 * @throws as `RollupContract.values` and `DepositFollower.look`
 */
export async function readHeld(
  contract: RollupContract,
  recovery: AccountRecovery & { readonly own: Account },
  which: {
    readonly owner: Address;
    readonly tokens: WantedTokens;
    readonly minimum?: bigint | undefined;
    readonly fromBlock: number;
  },
): Promise<Held> {
  const { owner, tokens: wanted, minimum = 1n, fromBlock } = which;
  const { own } = recovery;
  const wasFrozen = await isFrozen(contract);
  const isIn = (name: string, values: readonly unknown[]) => async () =>
    !wasFrozen || (await contract.values(name, values))[0] === false;
  const ofBalances = [...own.balances].map(([tokenId, amount]) => ({
    tokenId,
    amount,
    isIn: isIn('isBalanceWithdrawn', [own.id, tokenId]),
  }));
  const ofOrders = recovery.openOrders.map(({ order, totalIndex }) => ({
    tokenId: order.tokenId,
    amount: order.amount,
    isIn: isIn('isOrderWithdrawn', [totalIndex]),
  }));
  const counts = ({ tokenId, amount }: PlannedTransfer) => amount > 0n && isWanted(wanted, tokenId);
  const balances = await stillIn(ofBalances.filter(counts));
  const openOrders = await stillIn(ofOrders.filter(counts));
  const orders = openOrders.filter(({ amount }) => amount >= minimum);
  const waiting = (await new DepositFollower(contract, own.id, fromBlock).look()).filter(counts);
  const present = wasFrozen ? await notReturned(contract, waiting) : waiting;
  const ownDeposits = present.filter(({ from }) => from === owner);
  return {
    amounts: await inBaseUnits(contract, [...balances, ...orders, ...ownDeposits]),
    left: await inBaseUnits(
      contract,
      openOrders.filter(({ amount }) => amount < minimum),
    ),
    balances: balances.length,
    orders: orders.length,
    deposits: { own: ownDeposits, foreign: present.filter(({ from }) => from !== owner) },
  };
}

type Item = PlannedTransfer & { isIn(): Promise<boolean> };

async function stillIn(items: readonly Item[]): Promise<readonly PlannedTransfer[]> {
  const left: Item[] = [];
  for (let from = 0; from < items.length; from += READS) {
    const some = items.slice(from, from + READS);
    const answers = await Promise.all(some.map((item) => item.isIn()));
    left.push(...some.filter((_, place) => answers[place]));
  }
  return left;
}

/** A frozen contract sets the amount of a deposit that it has returned to 0. */
async function notReturned(
  contract: RollupContract,
  deposits: readonly RegisteredTransfer[],
): Promise<readonly RegisteredTransfer[]> {
  const amounts = await Promise.all(
    deposits.map(async ({ index }) => (await contract.values('deposits', [index]))[2]),
  );
  return deposits.filter((_, place) => amounts[place] !== 0n);
}

async function inBaseUnits(contract: RollupContract, items: readonly PlannedTransfer[]): Promise<Amounts> {
  const tokens = await rollupTokens(contract);
  const sums = new Map<Address, bigint>();
  for (const { tokenId, amount } of items) {
    const token = tokens[tokenId];
    // An order of a token that does not exist is worth nothing.
    if (token !== undefined) sums.set(token.address, (sums.get(token.address) ?? 0n) + amount * token.unit);
  }
  return sums;
}
