import { stateProofValues, type RegisteredTransfer } from '@tetrad/rollup-chain';
import { claimHash, sign } from '@tetrad/rollup-crypto';
import {
  proveAccount,
  proveBalance,
  proveOrder,
  type Account,
  type AccountRecovery,
} from '@tetrad/rollup-state';
import { ZERO_ADDRESS, parseAddress, type Address } from '@tetrad/types';
import type { ExitOptions, PlannedTransfer } from './exit-options.js';
import type { ExitTransactions } from './exit-transactions.js';

/** Of one transaction, so that it has less than 2^24 gas (EIP-7825) with payments of tokens, where a block has as much. */
const BALANCES = 20;
const ORDERS = 10;
const DEPOSITS = 20;
/** What each takes at most, its payment included, and what every transaction takes (docs/performance/rollup.md). */
const GAS = { base: 200_000n, balance: 700_000n, order: 1_500_000n, deposit: 450_000n };

/** One kind of things that are taken out in lists, each once. */
interface Part<Item> {
  readonly items: readonly Item[];
  readonly most: number;
  readonly gas: bigint;
  isDone(item: Item): Promise<boolean>;
  call(items: readonly Item[]): { readonly name: string; readonly values: readonly unknown[] };
  /** What is said before and after. */
  say(items: readonly Item[], isSent: boolean): void;
}

async function notDone<Item>(part: Part<Item>, items: readonly Item[]): Promise<readonly Item[]> {
  const done = await Promise.all(items.map((item) => part.isDone(item)));
  return items.filter((_, place) => done[place] === false);
}

/** How many of them a block has room for: chains of a few have blocks with a tenth of the gas of public ones. */
function mostOf({ most, gas }: Pick<Part<unknown>, 'most' | 'gas'>, blockGas: bigint | undefined): number {
  if (blockGas === undefined || blockGas >= GAS.base + gas * BigInt(most)) return most;
  return Math.max(1, Number((blockGas - GAS.base) / gas));
}

/** Takes what an account has out of a frozen contract; what was taken out before is found on the chain. */
export class FrozenWithdrawal {
  private readonly own: Account;

  constructor(
    private readonly options: ExitOptions,
    private readonly transactions: ExitTransactions,
    private readonly recovery: AccountRecovery & { readonly own: Account },
  ) {
    this.own = recovery.own;
  }

  /**
   * In:    deposits — of the account that no batch has taken
   * Out:   who is paid: whom the holder has claimed for, once and for all
   * Fails: ContractRefusal when the contract is not frozen in that state; as `ExitTransactions.attempt`
   */
  async run(deposits: readonly RegisteredTransfer[]): Promise<Address> {
    const balances = [...this.own.balances].filter(([, amount]) => amount > 0n);
    const least = this.options.minimum ?? 1n;
    const orders = this.recovery.openOrders.filter(({ order }) => order.amount > 0n && order.amount >= least);
    let { recipient } = this.options;
    if (balances.length + orders.length > 0) recipient = await this.claim();
    await this.takeBalances(balances.map(([tokenId, amount]) => ({ tokenId, amount })));
    await this.takeOrders(orders);
    await this.returnDeposits(deposits);
    return recipient;
  }

  private async claim(): Promise<Address> {
    const { contract, keys, recipient } = this.options;
    const accountId = this.own.id;
    for (;;) {
      const [claimed] = await contract.values('claimed', [accountId]);
      const before = parseAddress(String(claimed));
      if (before !== ZERO_ADDRESS) {
        this.transactions.sayOnce({ kind: 'claimed', recipient: before });
        return before;
      }
      this.transactions.say({ kind: 'claiming', recipient });
      const signature = sign(keys.secretKey, claimHash(contract.domain, { accountId, recipient }));
      const account = proveAccount(this.recovery, this.own);
      const claim = stateProofValues.claim({ account, recipient, signature });
      await this.transactions.attempt('claim', (sending) => contract.send('claimAccount', [claim], sending));
      this.transactions.assertGoesOn();
    }
  }

  private takeBalances(items: readonly PlannedTransfer[]): Promise<void> {
    const { id } = this.own;
    return this.take({
      ...{ items, most: BALANCES, gas: GAS.balance },
      isDone: ({ tokenId }) => this.flag('isBalanceWithdrawn', [id, tokenId]),
      call: (some) => ({
        name: 'withdrawBalances',
        values: [id, some.map(({ tokenId }) => stateProofValues.balance(proveBalance(this.own, tokenId)))],
      }),
      say: (some, isSent) => this.sayWithdrawn('balances', some, isSent),
    });
  }

  private takeOrders(items: AccountRecovery['openOrders']): Promise<void> {
    return this.take({
      ...{ items, most: ORDERS, gas: GAS.order },
      isDone: ({ totalIndex }) => this.flag('isOrderWithdrawn', [totalIndex]),
      call: (some) => ({
        name: 'withdrawOrders',
        values: [this.own.id, some.map((each) => stateProofValues.order(proveOrder(this.recovery, each)))],
      }),
      say: (some, isSent) =>
        this.sayWithdrawn(
          'orders',
          some.map(({ order }) => order),
          isSent,
        ),
    });
  }

  /** Those of others go back to them, who may ask for it. */
  private returnDeposits(deposits: readonly RegisteredTransfer[]): Promise<void> {
    const { contract, keys, recipient } = this.options;
    const ours = [keys.address, recipient, this.transactions.payer];
    return this.take({
      ...{ items: deposits.filter(({ from }) => ours.includes(from)), most: DEPOSITS, gas: GAS.deposit },
      isDone: async ({ index }) => (await contract.values('deposits', [index]))[2] === 0n,
      call: (some) => ({ name: 'returnDeposits', values: [some.map(({ index }) => index)] }),
      say: (some, isSent) => {
        if (!isSent) this.transactions.say({ kind: 'returning', deposits: some.length });
      },
    });
  }

  private async take<Item>(part: Part<Item>): Promise<void> {
    const { contract } = this.options;
    const { gasLimit: blockGas } = await contract.client.head();
    const most = mostOf(part, blockGas ?? undefined);
    let left = part.items;
    while (left.length > 0) {
      this.transactions.assertGoesOn();
      const some = left.slice(0, most);
      const wanted = await notDone(part, some);
      if (wanted.length > 0) {
        part.say(wanted, false);
        const { name, values } = part.call(wanted);
        const gasLimit = GAS.base + part.gas * BigInt(wanted.length);
        // Another sender that takes some of them out before pays this account: that is no refusal of the same call.
        const at = `${name} ${left.length} ${wanted.length}`;
        const isSent = await this.transactions.attempt(at, (sending) =>
          contract.send(name, values, { ...sending, gasLimit }),
        );
        // What was refused is looked at again: another sender may have been first.
        if (!isSent) continue;
        part.say(wanted, true);
      }
      left = left.slice(some.length);
    }
  }

  private async flag(name: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.options.contract.values(name, values))[0] === true;
  }

  private sayWithdrawn(what: 'balances' | 'orders', some: readonly PlannedTransfer[], isSent: boolean): void {
    if (!isSent) return this.transactions.say({ kind: 'withdrawing', what, count: some.length });
    const sums = new Map<number, bigint>();
    for (const { tokenId, amount } of some) sums.set(tokenId, (sums.get(tokenId) ?? 0n) + amount);
    for (const [tokenId, amount] of sums) this.transactions.say({ kind: 'left', tokenId, amount });
  }
}
