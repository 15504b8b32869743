import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountHolder } from '../../account-holder.js';
import { TOKEN, blockHash, startOperator, type RunningOperator } from '../../running-operator.js';

let operator: RunningOperator;
const alice = new AccountHolder(1, 1);
const RECIPIENT = '0x00000000000000000000000000000000000000a1';
const NO_EVENTS = { tokens: [], deposits: [], requests: [] };

/** What each of the methods takes that make operations, of a holder that may make them. */
const asked = async (): Promise<readonly (readonly [string, readonly unknown[]])[]> => {
  const [received] = (
    await operator.store.listReceivedOrders({ toAccountId: 1, fromTotalIndex: 0, upToHeight: 9, limit: 1 })
  ).values();
  if (received === undefined) throw new Error('no order');
  return [
    ['pazkp_createAccount', new AccountHolder(9, 90).registration()],
    ['pazkp_redeemMoneyOrder', alice.redemption(received.order, received.totalIndex, 1)],
    ['pazkp_createMoneyOrder', alice.payment(alice, TOKEN, 1n, 2)],
    ['pazkp_createOutboundTransfer', alice.transfer(RECIPIENT, TOKEN, 1n, 3)],
  ];
};

describe('the contract is frozen', () => {
  beforeAll(async () => {
    operator = await startOperator();
    await operator.result('pazkp_createAccount', alice.registration());
    await operator.deposit(1, TOKEN, 100n);
    await operator.finalize();
    await operator.finalize();
  });
  afterAll(() => operator.stop());

  it('so that nothing is accepted, and all is shown', async () => {
    const calls = await asked();
    const shown = await operator.result('pazkp_getAccountState', [1]);
    const block = { number: 300, hash: blockHash(300) };
    await operator.store.advanceChain({ ...NO_EVENTS, frozen: { height: 2, blockNumber: 300 } }, [block]);
    for (const [method, params] of calls) {
      const { error } = await operator.call(method, params);
      expect([method, error?.data]).toEqual([method, { reason: 'ROLLUP_FROZEN', height: 2 }]);
      expect(error?.message).toContain('after batch 2');
    }
    expect(await operator.result('pazkp_getAccountState', [1])).toEqual(shown);
    // The block of the freeze may be replaced by one without it.
    await operator.store.rewindChain(299);
    await operator.store.advanceChain(NO_EVENTS, [{ number: 300, hash: blockHash(301) }]);
    for (const [method, params] of calls)
      expect(await operator.call(method, params)).not.toHaveProperty('error');
  });
});
