import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { publishedBatch } from '@tetrad/rollup-chain';
import type { RollupOperation } from '@tetrad/rollup-state';
import { ZERO_ADDRESS, hashFromBytes } from '@tetrad/types';
import type { RollupUser } from '../../state/src/testing/rollup-user.js';
import { Sequencer, decodeProvingInput, type FinalBatch } from '../src/index.js';
import { consentOf, directPayment } from './consented-user.js';
import { DOMAIN, OPERATOR_SECRET, REQUESTS, RequestedRollup } from './requested-rollup.js';

let rollup: RequestedRollup;
let [payer, receiver]: readonly RollupUser[] = [];
beforeAll(async () => {
  rollup = await RequestedRollup.open();
});
afterAll(() => rollup?.close());

/** The payer has 50 units; the receiver has an open order of 50, and lets 10 and more be credited up to batch 90. */
beforeEach(async () => {
  await rollup.reset();
  [payer, receiver] = rollup.users;
  await rollup.accept(rollup.redeem(0, 0, 50n));
  await rollup.accept(consentOf(of(receiver), { tokenId: 0, minimum: 10n, untilHeight: 90 }, 1));
  await rollup.run();
});

function of(user: RollupUser | undefined): RollupUser {
  if (user === undefined) throw new TypeError('no such user');
  return user;
}

const pay = (amount: bigint, nonce: number) => directPayment(of(payer), of(receiver), 0, amount, nonce);
const sized = (batchSize: number) =>
  new Sequencer(rollup.store, { domain: DOMAIN, batchSize, operatorSecrets: [OPERATOR_SECRET] });
const stateOf = async (id: number) => {
  const found = await rollup.store.findAccount(id);
  return [found?.nonce, found?.redemptionIndex, found?.balances.get(0) ?? 0n];
};
const credits = async (id = 2) =>
  (
    await rollup.store.listCredits({ toAccountId: id, fromTotalIndex: 0, upToHeight: 2 ** 31, limit: 100 })
  ).map(({ totalIndex, order }) => [
    Math.floor(totalIndex / 65_536),
    totalIndex % 65_536,
    order.fromAccountId,
    order.amount,
  ]);
const ordersOf = async (id: number) =>
  (
    await rollup.store.listReceivedOrders({ toAccountId: id, fromTotalIndex: 0, upToHeight: 99, limit: 99 })
  ).map(({ order }) => order.amount);
const depositFor = (id: number, index: number, amount: bigint) => ({
  index,
  accountId: id,
  tokenId: 0,
  amount,
  sender: ZERO_ADDRESS,
  blockNumber: 2,
});

describe('a payment to an account with a consent', () => {
  it('is a balance at once, in the place behind it; nonce, redemption index and open orders stay', async () => {
    const before = await ordersOf(2);
    await rollup.accept(pay(30n, 2));
    await rollup.run();
    expect(await stateOf(2)).toEqual([1, 0, 30n]);
    expect(await stateOf(1)).toEqual([2, expect.any(Number), 20n]);
    expect(await credits()).toEqual([[expect.any(Number), 1, 1, 30n]]);
    expect(await ordersOf(2)).toEqual(before);
  });

  it.each<[string, () => readonly RollupOperation[], readonly bigint[]]>([
    ['below the minimum', () => [pay(9n, 2)], [9n]],
    ['of which the payer does not let it', () => [of(payer).pay(of(receiver), 0, 30n, 2)], [30n]],
    ['after the revocation', () => [consentOf(of(receiver), undefined, 2), pay(30n, 2)], [30n]],
    [
      'when the consent is over',
      () => [consentOf(of(receiver), { tokenId: 0, minimum: 1n, untilHeight: 2 }, 2), pay(30n, 2)],
      [30n],
    ],
    [
      'of another token than it is for',
      () => [consentOf(of(receiver), { tokenId: 1, minimum: 1n, untilHeight: 90 }, 2), pay(30n, 2)],
      [30n],
    ],
  ])('is an order %s', async (_, operations, amounts) => {
    const before = await ordersOf(2);
    for (const operation of operations()) {
      await rollup.accept(operation);
      await rollup.run();
    }
    expect(await credits()).toEqual([]);
    expect(await ordersOf(2)).toEqual([...before, ...amounts]);
    expect((await stateOf(2))[2]).toBe(0n);
  });

  it('to the account itself is credited after it is paid', async () => {
    await rollup.accept(consentOf(of(payer), { tokenId: 0, minimum: 1n, untilHeight: 90 }, 2));
    await rollup.accept(directPayment(of(payer), of(payer), 0, 40n, 3));
    await rollup.run();
    expect(await credits(1)).toEqual([[expect.any(Number), expect.any(Number), 1, 40n]]);
    expect((await stateOf(1))[2]).toBe(50n);
  });

  it('that cannot be paid credits nothing and closes no batch', async () => {
    await rollup.accept(of(payer).transferOut('0x00000000000000000000000000000000000000a1', 0, 1n, 2));
    await rollup.accept(pay(500n, 3));
    await sized(2).executePending({ requests: REQUESTS });
    expect(await credits()).toEqual([]);
    expect(await rollup.store.readHead()).toMatchObject({ openIndex: 1 });
  });
});

describe('a credit', () => {
  it('is in the batch of its payment: where two do not fit, that goes to the next one', async () => {
    await rollup.accept(of(payer).transferOut('0x00000000000000000000000000000000000000a1', 0, 1n, 2));
    await rollup.accept(pay(30n, 3));
    const { openHeight } = await rollup.store.readHead();
    const { sealed } = await sized(2).executePending({ requests: REQUESTS });
    expect(sealed).toEqual([openHeight, openHeight + 1]);
    expect(await rollup.store.findBatch(openHeight)).toMatchObject({ operations: 1, size: 2 });
    expect(await credits()).toEqual([[openHeight + 1, 1, 1, 30n]]);
  });

  it('is not made where batches have one place', async () => {
    await rollup.accept(pay(30n, 2));
    await sized(1).executePending({ requests: REQUESTS });
    expect(await credits()).toEqual([]);
    expect(await ordersOf(2)).toContain(30n);
  });

  it('is taken back with its batch, and made once again', async () => {
    await rollup.accept(pay(30n, 2));
    await rollup.run();
    const made = await credits();
    const { openHeight } = await rollup.store.readHead();
    await rollup.store.sequence((step) => step.rewind(openHeight - 1));
    expect(await credits()).toEqual([]);
    expect((await stateOf(2))[2]).toBe(0n);
    await rollup.run();
    expect(await credits()).toEqual(made);
    expect(await stateOf(2)).toEqual([1, 0, 30n]);
  });

  it('and its batch assemble as they were executed', async () => {
    await rollup.accept(pay(30n, 2));
    await rollup.run();
    const [[height]] = (await credits()) as [[number]];
    const { witness } = decodeProvingInput((await rollup.store.readProving(height)) as Uint8Array);
    expect(witness.publicInputs.operations.map(({ kind, order }) => [kind, order]).slice(0, 2)).toEqual([
      ['createMoneyOrder', 0n],
      ['credit', 0n],
    ]);
  });
});

it('a credit answers no request of its receiver, also one that was asked for before the batch of the credit was final', async () => {
  const open = async () =>
    (await rollup.store.readRequestLoad(REQUESTS.progress, { atSeconds: 100, timeoutSeconds: 3_600 })).open;
  await rollup.accept(pay(30n, 2));
  await rollup.run();
  const { assembledHeight: height } = await rollup.store.readHead();
  const redemption = rollup.redeem(1, 1, 50n, 2);
  await rollup.ask(redemption, 900n, { height: height - 1 });
  await rollup.finalize();
  expect(await open()).toBe(1);
  await rollup.run();
  expect(await rollup.placeOf(redemption)).toEqual(['EXECUTED', height + 1, 0]);
  expect(await open()).toBe(1);
  await rollup.finalize();
  expect(await open()).toBe(0);
});

describe('deposits', () => {
  it('are credited, and become orders while more wait than may delay each other', async () => {
    await rollup.advance({ deposits: [depositFor(2, 4, 60n)] });
    await rollup.run();
    expect(await credits()).toEqual([[expect.any(Number), 1, 0, 60n]]);
    const flood = Array.from({ length: 101 }, (_, index) => depositFor(2, 5 + index, 11n));
    await rollup.advance({ deposits: flood });
    await rollup.sequencer.executePending({ requests: REQUESTS, room: 8 });
    expect(await credits()).toHaveLength(1);
  });

  it('become orders while a holder has asked the contract for something', async () => {
    await rollup.ask(rollup.redeem(2, 2, 50n), 900n);
    await rollup.advance({ deposits: [depositFor(2, 4, 60n)] });
    await rollup.run();
    expect(await credits()).toEqual([]);
    expect(await ordersOf(2)).toContain(60n);
  });
});

it('an operator that lost its rows has consents and credits again from the chain and its key', async () => {
  await rollup.accept(pay(30n, 2));
  await rollup.advance({ deposits: [depositFor(2, 4, 60n)] });
  await rollup.run();
  const { assembledHeight } = await rollup.store.readHead();
  const events: FinalBatch[] = [];
  for (let height = 1; height <= assembledHeight; height += 1) {
    const proving = decodeProvingInput((await rollup.store.readProving(height)) as Uint8Array);
    const hash = hashFromBytes(new Uint8Array(32).fill(height));
    const at = { blockNumber: height, blockHash: hash, transactionHash: hash };
    events.push({ height, at, ...publishedBatch(proving.witness.publicInputs, proving.ciphertexts) });
  }
  const before = [await rollup.store.findAccount(1), await rollup.store.findAccount(2), await credits()];
  const { rows: deposits } = await rollup.database.pool.query('SELECT * FROM deposit ORDER BY index');
  await rollup.database.pool.query(
    `TRUNCATE operation, account, account_version, money_order, batch, tree_node, opaque_place, credit;
     UPDATE deposit SET batch_height = NULL, batch_index = NULL;
     UPDATE sequence_head SET next_account_id = 1, open_height = 1, open_index = 0, next_inbound = 0,
            assembled_height = 0, version = version + 1`,
  );
  const adopting = sized(4);
  for (const event of events) await adopting.adopt(event);
  expect([await rollup.store.findAccount(1), await rollup.store.findAccount(2), await credits()]).toEqual(
    before,
  );
  expect(await rollup.store.countAccounts()).toMatchObject({ opaqueAccounts: 0, closedConsents: 0 });
  expect(deposits).toHaveLength(5);
});
