import { OperatorError, isAddress, parseAddress } from '@tetrad/types';
import type { RollupAccount } from '../account/rollup-account.js';
import type { HeldAccount, RollupOrder, SettledRollupOperation } from './held-account.js';

/**
 * An account as applications have it.
 *
 * @param account - the account
 * @returns it, with values of viem
 */
export function holdAccount(account: RollupAccount): HeldAccount {
  return {
    id: account.id,
    async state() {
      const { account: state, height } = await account.state();
      return { height, nonce: state.nonce, balances: state.balances };
    },
    send: (payment) => account.send(payment),
    redeemable: () => redeemableOf(account),
    async received(totalIndex) {
      const { fromAccountId, tokenId, amount } = await account.received(totalIndex);
      return { totalIndex, fromAccountId, tokenId, amount };
    },
    redeem: (totalIndex) => account.redeem(totalIndex),
    async withdraw({ to, ...transfer }) {
      if (!isAddress(to)) throw new OperatorError('to: must be an address');
      return account.withdraw({ ...transfer, toEthereumAddress: parseAddress(to) });
    },
    settle: () => settledOf(account),
    close: () => account.close(),
  };
}

async function* redeemableOf(account: RollupAccount): AsyncGenerator<RollupOrder> {
  for await (const { moneyOrder, moneyOrderTotalIndex } of account.redeemable()) {
    const { fromAccountId, tokenId, amount } = moneyOrder;
    yield { totalIndex: moneyOrderTotalIndex, fromAccountId, tokenId, amount };
  }
}

async function settledOf(account: RollupAccount): Promise<SettledRollupOperation[]> {
  const settled = await account.settle();
  return settled.map(({ operation, isAccepted, reason }) => {
    const { hash, call } = operation;
    return { hash, method: call.method, isAccepted, reason };
  });
}
