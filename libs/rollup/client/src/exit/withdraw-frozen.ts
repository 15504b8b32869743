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
import { PartTaking, type Part } from './part-taking.js';
import { isWanted } from './wanted-tokens.js';

const ETHER = 0;

/** Of one transaction: blocks are filled by several, and what is left of one is less than a transaction. */
const BALANCES = 20;
const ORDERS = 4;
const DEPOSITS = 20;
/** What each takes at most, its payment included (docs/performance/rollup.md). */
const GAS = { balance: 700_000n, order: 1_100_000n, orderOfToken: 1_300_000n, deposit: 450_000n };

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
   * @param deposits - of the account that no batch has taken
   * @returns who is paid: whom the holder has claimed for, once and for all
   * @throws ContractRefusal when the contract is not frozen in that state; as `ExitTransactions.attempt`
   */
  async run(deposits: readonly RegisteredTransfer[]): Promise<Address> {
    const { minimum: least = 1n, tokens } = this.options;
    const balances = [...this.own.balances].filter(
      ([tokenId, amount]) => amount > 0n && isWanted(tokens, tokenId),
    );
    const orders = this.recovery.openOrders.filter(
      ({ order }) => order.amount > 0n && order.amount >= least && isWanted(tokens, order.tokenId),
    );
    let { recipient } = this.options;
    const taking = await PartTaking.start(this.options.contract, this.transactions);
    if (balances.length + orders.length > 0) recipient = await this.claim();
    await taking.take(this.balances(balances.map(([tokenId, amount]) => ({ tokenId, amount }))));
    await taking.take(this.orders(orders));
    await taking.take(this.deposits(deposits));
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

  private balances(items: readonly PlannedTransfer[]): Part<PlannedTransfer> {
    const { id } = this.own;
    return {
      items,
      most: BALANCES,
      gas: () => GAS.balance,
      isDone: ({ tokenId }) => this.flag('isBalanceWithdrawn', [id, tokenId]),
      call: (some) =>
        this.options.contract.callTo('withdrawBalances', [
          id,
          some.map(({ tokenId }) => stateProofValues.balance(proveBalance(this.own, tokenId))),
        ]),
      say: (some, isSent) => this.sayWithdrawn('balances', some, isSent),
    };
  }

  private orders(items: AccountRecovery['openOrders']): Part<AccountRecovery['openOrders'][number]> {
    return {
      items,
      most: ORDERS,
      gas: ({ order }) => (order.tokenId === ETHER ? GAS.order : GAS.orderOfToken),
      isDone: ({ totalIndex }) => this.flag('isOrderWithdrawn', [totalIndex]),
      call: (some) =>
        this.options.contract.callTo('withdrawOrders', [
          this.own.id,
          some.map((each) => stateProofValues.order(proveOrder(this.recovery, each))),
        ]),
      say: (some, isSent) =>
        this.sayWithdrawn(
          'orders',
          some.map(({ order }) => order),
          isSent,
        ),
    };
  }

  /** Those of others go back to them, who may ask for it. */
  private deposits(deposits: readonly RegisteredTransfer[]): Part<RegisteredTransfer> {
    const { contract, keys, recipient, tokens } = this.options;
    const ours = [keys.address, recipient, this.transactions.payer];
    return {
      items: deposits.filter(({ from, tokenId }) => ours.includes(from) && isWanted(tokens, tokenId)),
      most: DEPOSITS,
      gas: () => GAS.deposit,
      isDone: async ({ index }) => (await contract.values('deposits', [index]))[2] === 0n,
      call: (some) => contract.callTo('returnDeposits', [some.map(({ index }) => index)]),
      say: (some, isSent) => {
        if (!isSent) this.transactions.say({ kind: 'returning', deposits: some.length });
      },
    };
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
