import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deployRollup } from '@tetrad/rollup-chain';
import { LeafProver } from '@tetrad/rollup-circuits';
import { inboundMoneyOrder, multiplyGenerator, totalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';
import type { RollupOperation } from '@tetrad/rollup-state';
import { parseAddress, type Address } from '@tetrad/types';
import { describeWithAnvil } from '../../chain/test/anvil-chain.js';
import { formatViewKey, parseViewKey, signViewKey } from '../src/audit/view-key-file.js';
import {
  RollupContract,
  auditViewKey,
  deriveRollupKeys,
  exitRollup,
  jointKeyOf,
  makeViewKey,
  periodOf,
  signMoneyOrder,
  signOutboundTransfer,
  signRedemption,
  type RollupKeys,
  type SignedViewKey,
  type ViewKey,
} from '../src/index.js';
import { SettledRollup, TIMEOUT, UNIT } from './settled-rollup.js';

const alice = deriveRollupKeys(Buffer.alloc(32, 0xa1));
const bob = deriveRollupKeys(Buffer.alloc(32, 0xb0));
const RECIPIENT = parseAddress(`0x${'5e'.repeat(20)}`);

describeWithAnvil('a view key of a rollup on a chain', () => {
  let rollup: SettledRollup;
  let contract: RollupContract;
  let prover: LeafProver;
  let honest: SignedViewKey;

  const pay = (from: RollupKeys, ids: readonly [number, number], amount: bigint, nonce: number) => {
    const to = from === alice ? bob : alice;
    const { operation, signature } = signMoneyOrder(contract, from, {
      fromAccountId: ids[0],
      toAccountId: ids[1],
      toJointKey: jointKeyOf(to, contract.operatorKey),
      tokenId: 0,
      amount,
      nonce,
      attempt: 0,
    });
    return { ...operation, signature };
  };
  const redeem = (keys: RollupKeys, order: MoneyOrder, index: number, nonce: number): RollupOperation => {
    const { operation, signature } = signRedemption(contract, keys, { order, totalIndex: index, nonce });
    return { ...operation, signature };
  };

  beforeAll(async () => {
    [rollup, prover] = await Promise.all([SettledRollup.start(), LeafProver.open()]);
    ({ contract } = rollup);
    for (const { address } of [alice, bob]) await rollup.fund(address);
    await rollup.settle(alice, rollup.creation(alice, 1), rollup.creation(bob, 2));
    await rollup.deposit(alice, 1, 100n, 20n);
    const first = inboundMoneyOrder({ index: 0, accountId: 1, tokenId: 0, amount: 100n });
    await rollup.settle(alice, redeem(alice, first, totalIndex(2, 0), 1));
    const paid = pay(alice, [1, 2], 60n, 2);
    await rollup.settle(alice, paid);
    await rollup.settle(bob, redeem(bob, paid.order, totalIndex(4, 0), 1));
    const back = pay(bob, [2, 1], 7n, 2);
    await rollup.settle(bob, back, pay(bob, [2, 1], 5n, 3));
    const second = inboundMoneyOrder({ index: 1, accountId: 1, tokenId: 0, amount: 20n });
    await rollup.settle(
      alice,
      redeem(alice, second, totalIndex(2, 1), 3),
      redeem(alice, back.order, totalIndex(6, 0), 4),
    );
    const transfer = { fromAccountId: 1, toEthereumAddress: RECIPIENT, tokenId: 0, amount: 10n, nonce: 5 };
    const { operation, signature } = signOutboundTransfer(contract, alice, transfer);
    await rollup.settle(alice, { ...operation, signature });
    honest = await disclose(4, 7);
  });
  afterAll(async () => {
    await prover?.close();
    await rollup?.stop();
  });

  const disclose = (from: number, to: number) =>
    makeViewKey(contract, alice, {
      from,
      to,
      auditor: 'Audit Ltd',
      purpose: '2026',
      fromBlock: 0,
      prover,
      showsAllReceived: true,
    });
  const audit = (signed: SignedViewKey, on = contract) =>
    auditViewKey(on, parseViewKey(formatViewKey(signed)), { verifier: prover, fromBlock: 0 });
  const changed = (change: (viewKey: ViewKey) => Partial<ViewKey>) =>
    audit(signViewKey({ ...honest.viewKey, ...change(honest.viewKey) }, alice.secretKey));

  it('shows an auditor, who has no key and no operator, what the account did and held', async () => {
    const report = await audit(honest);
    expect(
      report.operations.map((one) => [one.kind, one.totalIndex, 'amount' in one ? one.amount : undefined]),
    ).toEqual([
      ['sent', totalIndex(4, 0), 60n],
      ['received', totalIndex(6, 0), 7n],
      ['received', totalIndex(6, 1), 5n],
      ['redeemed', totalIndex(7, 0), 20n],
      ['redeemed', totalIndex(7, 1), 7n],
    ]);
    expect([report.opening.balances.get(0), report.closing.balances.get(0)]).toEqual([100n, 67n]);
    expect(report.unredeemed).toMatchObject([{ totalIndex: totalIndex(6, 1), amount: 5n, state: 'open' }]);
    expect(report).toMatchObject({ isReceivedComplete: true, frozen: undefined });
    expect(report.roots.closing).toBe(await contract.stateRootAt(7));
    const whole = await audit(await disclose(1, 8));
    expect(whole.operations.at(-1)).toMatchObject({
      kind: 'withdrawn',
      toEthereumAddress: RECIPIENT,
      nonce: 5,
    });
    expect(whole.closing.balances.get(0)).toBe(57n);
  });

  it('may be of days', async () => {
    const { timestamp } = await contract.client.head();
    const day = { from: { time: timestamp - 86_400 }, to: { time: timestamp + 86_400 } };
    expect(await periodOf(contract, day, 0)).toEqual({ from: 1, to: 8 });
    expect(await periodOf(contract, { from: { height: 3 }, to: { time: timestamp + 1 } }, 0)).toEqual({
      from: 3,
      to: 8,
    });
    const empty = { from: { time: timestamp + 1 }, to: { time: timestamp + 2 } };
    await expect(periodOf(contract, empty, 0)).rejects.toThrow('accepted no batch in this period');
  });

  it('is refused when the holder leaves out, changes, or invents something and signs it', async () => {
    await expect(changed(({ sent }) => ({ sent: sent.slice(1) }))).rejects.toThrow(
      'operation 0 of batch 4: is a payment of the account, and the view key leaves it out',
    );
    await expect(changed(({ received }) => ({ received: received.slice(0, -1) }))).rejects.toThrow(
      'operation 1 of batch 6: is an order for the account, and the view key leaves it out',
    );
    const richer = new Map([[0, 1_000n]]);
    await expect(
      changed(({ opening }) => ({
        opening: { ...opening, account: { ...opening.account!, balances: richer } },
      })),
    ).rejects.toThrow('leafProofs.0: keys, balances, nonces or redemptions are not those that account 1 had');
    const user = multiplyGenerator(5n);
    await expect(
      changed(({ account }) => ({ account: { ...account, jointKey: { ...account.jointKey, user } } })),
    ).rejects.toThrow(/sharedKeys|leafProofs|leaves it out/);
    await expect(
      changed(({ received }) => ({
        received: received.map((one) => (one.fromAccountId === 0 ? { ...one, fromAccountId: 2 } : one)),
      })),
    ).rejects.toThrow('its proof does not lead to the history of the contract');
    await expect(changed(({ period }) => ({ period: { ...period, to: 6 } }))).rejects.toThrow(
      'is no operation of the account in the period',
    );
  });

  it('is refused by another contract, and for another chain', async () => {
    const [operator] = rollup.chain.accounts as [Address];
    const address = await deployRollup(rollup.chain.create, {
      operator,
      operatorKey: multiplyGenerator(99n),
      stallTimeoutSeconds: TIMEOUT,
      etherUnit: UNIT,
      sizes: [2],
    });
    const other = await RollupContract.open(contract.client, address);
    await expect(audit(honest, other)).rejects.toThrow(`contract: it is for ${contract.address}, not for`);
    await expect(changed(() => ({ chainId: 1n }))).rejects.toThrow('chainId: it is for chain 1');
    const relayed = signViewKey({ ...honest.viewKey, contract: address }, alice.secretKey);
    await expect(audit(relayed, other)).rejects.toThrow('the contract has no batch 7');
  });

  it('says of a frozen contract what has been taken out of it since', async () => {
    await contract.depositEther({ accountId: 2, amount: 3n }, { key: bob.ethereumKey });
    await rollup.chain.passTime(TIMEOUT + 1);
    const withKey = { key: bob.ethereumKey };
    const index = await contract.read('nextDeposit', []);
    await contract.send('announceByDeposit', [index], withKey);
    await rollup.chain.passTime(Number(await contract.read('announcementTime', [])) + 1);
    await contract.send('freezeByDeposit', [index], withKey);
    const last = await disclose(6, 8);
    expect((await audit(last)).frozen).toEqual({ withdrawnTokens: [], withdrawnOrders: [] });
    await exitRollup({
      contract,
      keys: alice,
      recipient: RECIPIENT,
      payerKey: undefined,
      minimum: 1n,
      fromBlock: 0,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      pause: async () => undefined,
    });
    expect((await audit(last)).frozen).toEqual({ withdrawnTokens: [0], withdrawnOrders: [totalIndex(6, 1)] });
    expect((await audit(honest)).frozen).toBeUndefined();
  });
});
