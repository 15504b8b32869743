import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { multiplyGenerator, type Point } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import { describeWithAnvil } from '../../chain/test/anvil-chain.js';
import { RollupContract, deriveRollupKeys, exitRollup, jointKeyOf, signMoneyOrder } from '../src/index.js';
import { SettledRollup, TIMEOUT } from './settled-rollup.js';

const alice = deriveRollupKeys(Buffer.alloc(32, 0xa1));
const bob = deriveRollupKeys(Buffer.alloc(32, 0xb0));
const recipient = '0x00000000000000000000000000000000000e1715' as Address;
const FIRST = multiplyGenerator(99n);
/** An operator that announces it cannot read what is encrypted to it. */
const HELD_BY_NONE = multiplyGenerator(2n ** 200n + 5n);

describeWithAnvil('an operator that changes its key to harm holders', () => {
  let rollup: SettledRollup;
  let later: RollupContract;

  beforeAll(async () => {
    rollup = await SettledRollup.start();
    for (const { address } of [alice, bob]) await rollup.fund(address);
    // Signed with the key that the contract had; the operator announces another one before it uses the creation.
    const signed = rollup.creation(alice, 1);
    await announce(HELD_BY_NONE);
    later = await RollupContract.open(rollup.contract.client, rollup.contract.address);
    expect(later.operatorKeys).toEqual([FIRST, HELD_BY_NONE]);
    expect(later.operatorKey).toEqual(HELD_BY_NONE);
    await rollup.settle(bob, signed, rollup.creationWith(later, bob, 2));
  });
  afterAll(() => rollup?.stop());

  const announce = ({ x, y }: Point) => {
    const { address, codec } = rollup.contract;
    const data = codec.encodeCall('announceOperatorKey', [[x, y]]);
    return rollup.chain.send({ from: rollup.chain.accounts[0] as Address, to: address, data });
  };
  const stateOf = (keys: typeof alice) => rollup.stateOf(keys, later);
  const exit = (keys: typeof alice) =>
    exitRollup({
      contract: later,
      keys,
      recipient,
      fromBlock: 0,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      pause: () => rollup.chain.passTime(TIMEOUT / 8),
    });

  it('costs them nothing: each account is recovered with the key that it was signed with', async () => {
    expect((await stateOf(alice)).own).toMatchObject({ id: 1, jointKey: jointKeyOf(alice, FIRST) });
    expect((await stateOf(bob)).own).toMatchObject({ id: 2, jointKey: jointKeyOf(bob, HELD_BY_NONE) });
  });

  it('is noticed by a client that was opened before', async () => {
    expect(rollup.contract.operatorKeys).toEqual([FIRST]);
    expect(await rollup.contract.knowsOperatorKey(multiplyGenerator(3n))).toBe(false);
    expect(await rollup.contract.knowsOperatorKey(HELD_BY_NONE)).toBe(true);
    expect(rollup.contract.operatorKey).toEqual(HELD_BY_NONE);
  });

  it('leaves a payment readable for payer and receiver, and the way out open', async () => {
    await rollup.deposit(bob, 1, 100n);
    const { own, openOrders } = await stateOf(alice);
    expect(openOrders.map(({ order }) => order.amount)).toEqual([100n]);
    const { operation, signature } = signMoneyOrder(later, alice, {
      fromAccountId: 1,
      toAccountId: 2,
      toJointKey: jointKeyOf(bob, HELD_BY_NONE),
      tokenId: 0,
      amount: 0n,
      nonce: (own?.nonce ?? 0) + 1,
      attempt: 0,
    });
    await rollup.settle(alice, { ...operation, signature });
    expect((await stateOf(alice)).own?.nonce).toBe(1);
    expect((await stateOf(bob)).openOrders.map(({ order }) => order.fromAccountId)).toEqual([1]);
    // One more right before the exit, which is of no account.
    await announce(multiplyGenerator(12n));
    expect(await exit(alice)).toEqual([]);
    expect(await rollup.unitsOf(recipient)).toBe(100n);
  });
});
