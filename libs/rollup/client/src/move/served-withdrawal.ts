import { totalIndex } from '@tetrad/rollup-crypto';
import type { Account, AccountRecovery } from '@tetrad/rollup-state';
import { RpcTransportError } from '@tetrad/rpc';
import { OperatorError } from '@tetrad/types';
import { nonceUse } from '../account/next-nonce.js';
import { retryAfterOf } from '../account/retry-after.js';
import { RollupAccount } from '../account/rollup-account.js';
import { isFrozen } from '../chain/is-frozen.js';
import { DepositFollower } from '../exit/deposit-follower.js';
import { isWanted } from '../exit/wanted-tokens.js';
import type { Awaited, MoveOptions } from './move-options.js';
import type { MoveWaits } from './move-waits.js';

export type OwnRecovery = AccountRecovery & { readonly own: Account };

/** Whether a step ended because the contract is frozen: then holders withdraw by proofs. */
export type ServedEnd = 'done' | 'frozen';

/** Takes what an account holds out of a rollup by operations that its operator makes. */
export class ServedWithdrawal {
  private constructor(
    private readonly options: MoveOptions,
    private readonly look: () => Promise<OwnRecovery>,
    private readonly waits: MoveWaits,
    private readonly account: RollupAccount,
  ) {}

  /**
   * Does work with the account in the hands of this process, after settling operations whose answer was lost.
   *
   * @param options - of the move
   * @param parts - look: the account after the latest block; waits: for its operations
   * @param work - what is done
   * @returns what the work returns
   * @throws OperatorError when the operator cannot be reached, or does not serve; as `RollupAccount`
   */
  static async with<Result>(
    options: MoveOptions,
    { look, waits }: { readonly look: () => Promise<OwnRecovery>; readonly waits: MoveWaits },
    work: (withdrawal: ServedWithdrawal) => Promise<Result>,
  ): Promise<Result> {
    try {
      const account = await RollupAccount.open(options);
      try {
        for (const { operation, isAccepted } of await account.settle())
          options.onProgress({ kind: 'settled', hash: operation.hash, isAccepted });
        return await work(new ServedWithdrawal(options, look, waits, account));
      } finally {
        await account.close();
      }
    } catch (error) {
      if (!(error instanceof RpcTransportError)) throw error;
      throw new OperatorError(
        `the operator cannot be reached (${error.message}); --by-chain leaves by the contract alone`,
        { cause: error },
      );
    }
  }

  /** Waits until batches have all that the account did, and the deposits that its address made for it. */
  async settleAll(): Promise<ServedEnd> {
    const { contract, keys, fromBlock } = this.options;
    const settled = await this.untilDone('operations', async () => ({
      isDone: !(await this.isPending()),
      mark: await this.nonce(),
    }));
    if (settled === 'frozen') return settled;
    const follower = new DepositFollower(contract, this.account.id, fromBlock);
    return this.untilDone('deposits', async () => {
      const waiting = await follower.look();
      const own = waiting.filter(({ from, amount }) => from === keys.address && amount > 0n);
      return { isDone: own.length === 0, mark: own.map(({ index }) => index).join(' ') };
    });
  }

  /**
   * Redeems the orders of batches up to a height, since nothing else turns them into balance, and then pays the balances of the
   * tokens that move to the address of the keys. What comes meanwhile is left: a sender of dust could go on for ever. Orders below the
   * minimum are left too, but for those before one that is redeemed: they would be lost.
   *
   * @param height - of the contract when the move began
   */
  async run(height: number): Promise<ServedEnd> {
    const isAll = await this.redeem(totalIndex(height + 1, 0));
    return isAll === 'done' ? this.pay() : isAll;
  }

  /** Units of an order that is redeemed, at least; there are orders of none. */
  private get least(): bigint {
    const { minimum = 1n } = this.options;
    return minimum > 1n ? minimum : 1n;
  }

  private redeem(before: number): Promise<ServedEnd> {
    return this.untilDone('operations', async () => {
      if (await this.isPending()) return { isDone: false, mark: await this.nonce() };
      const { openOrders, own } = await this.look();
      const wanted = openOrders.filter(
        ({ order, totalIndex: index }) => index < before && order.amount >= this.least,
      );
      const last = Math.max(...wanted.map(({ totalIndex: index }) => index));
      if (wanted.length > 0) await this.redeemSome(last);
      return { isDone: wanted.length === 0, mark: own.nonce };
    });
  }

  /** In their order: an operator takes no redemption by which an earlier order would be lost. */
  private async redeemSome(last: number): Promise<void> {
    for await (const { moneyOrder, moneyOrderTotalIndex } of this.account.redeemable()) {
      if (moneyOrderTotalIndex > last) return;
      this.waits.assertGoesOn();
      const { tokenId, amount } = moneyOrder;
      const submitted = await this.unlessBusy(() => this.account.redeem(moneyOrderTotalIndex));
      if (submitted === undefined) return;
      this.options.onProgress({ kind: 'redemption', hash: submitted.hash, tokenId, amount });
    }
  }

  private pay(): Promise<ServedEnd> {
    const { tokens } = this.options;
    const paid = new Set<number>();
    return this.untilDone('operations', async () => {
      const { own } = await this.look();
      const mark = `${own.nonce} ${paid.size}`;
      if (await this.isPending()) return { isDone: false, mark };
      const left = [...own.balances].filter(
        ([tokenId, amount]) => amount > 0n && isWanted(tokens, tokenId) && !paid.has(tokenId),
      );
      for (const [tokenId, amount] of left) {
        if (!(await this.payOne(tokenId, amount))) break;
        paid.add(tokenId);
      }
      return { isDone: left.length === 0, mark };
    });
  }

  /** @returns whether the operator has taken it */
  private async payOne(tokenId: number, amount: bigint): Promise<boolean> {
    const { keys, onProgress } = this.options;
    this.waits.assertGoesOn();
    const transfer = { toEthereumAddress: keys.address, tokenId, amount };
    const submitted = await this.unlessBusy(() => this.account.withdraw(transfer));
    if (submitted !== undefined) onProgress({ kind: 'transfer', hash: submitted.hash, tokenId, amount });
    return submitted !== undefined;
  }

  /** Whether the operator has operations of the account that the chain does not have, or the chain others. */
  private async isPending(): Promise<boolean> {
    const { operator, contract } = this.options;
    const { next } = await nonceUse(operator, this.account.id, contract.hasConsents);
    return next - 1 !== (await this.nonce());
  }

  private async nonce(): Promise<number> {
    return (await this.look()).own.nonce;
  }

  private untilDone(
    what: Awaited,
    step: () => Promise<{ readonly isDone: boolean; readonly mark: string | number }>,
  ): Promise<ServedEnd> {
    return this.waits.until<ServedEnd>(what, async () => {
      if (await isFrozen(this.options.contract)) return { found: 'frozen', mark: 0 };
      const { isDone, mark } = await step();
      return { found: isDone ? 'done' : undefined, mark };
    });
  }

  /** @returns undefined when the operator takes no more for now */
  private async unlessBusy<Result>(submit: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await submit();
    } catch (error) {
      if (retryAfterOf(error) === undefined) throw error;
      return undefined;
    }
  }
}
