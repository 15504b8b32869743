import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { publishedBatch } from '@tetrad/rollup-chain';
import { parseOperationHeader } from '@tetrad/rollup-circuits';
import { inboundMoneyOrder, moneyOrderHash, operationHash, totalIndex } from '@tetrad/rollup-crypto';
import { accountHash, type Batch, type InboundTransfer, type RollupOperation } from '@tetrad/rollup-state';
import { openRollupStore, type BatchItem, type RollupStore } from '@tetrad/rollup-store';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import { hashFromBytes } from '@tetrad/types';
import { LawfulBatches } from '../../state/src/testing/lawful-batches.js';
import { DOMAIN } from '../../state/src/testing/random-rollup.js';
import { Sequencer, type FinalBatch } from '../src/index.js';

/** Of the key that honest holders encrypt to. */
const OPERATOR_SECRET = 23n;
const SIZE = 4;
const BATCHES = 12;

/** An operator: its rows, and what it was told before the batches came. */
interface Observer {
  readonly test: TestDatabase;
  readonly database: Database;
  readonly store: RollupStore;
}

async function openObserver(): Promise<Observer> {
  const test = await createTestDatabase('rollup-operator');
  const database = await connectDatabase({ url: test.url });
  return { test, database, store: openRollupStore(database) };
}

let observers: readonly [registered: Observer, rebuilt: Observer];

beforeAll(async () => {
  observers = [await openObserver(), await openObserver()];
});
afterAll(async () => {
  for (const { test, database } of observers ?? []) {
    await database.close();
    await test.drop();
  }
});
beforeEach(async () => {
  for (const { database } of observers)
    await database.pool.query(
      `TRUNCATE operation, account, account_version, money_order, batch, tree_node, deposit, chain_block, token, opaque_place;
       UPDATE sequence_head SET next_account_id = 1, open_height = 1, open_index = 0, next_inbound = 0,
              assembled_height = 0, version = version + 1`,
    );
});

function eventOf({ publicInputs, ciphertexts }: Batch): FinalBatch {
  const { height } = publicInputs;
  const hash = hashFromBytes(new Uint8Array(32).fill(height));
  const at = { blockNumber: height, blockHash: hash, transactionHash: hash };
  return { height, at, ...publishedBatch(publicInputs, ciphertexts) };
}

async function addDeposits({ database }: Observer, operations: readonly RollupOperation[]): Promise<void> {
  for (const deposit of operations.filter((one): one is InboundTransfer => one.kind === 'inboundTransfer'))
    await database.pool.query(
      `INSERT INTO deposit (index, account_id, token_id, amount, sender, block_number)
       VALUES ($1, $2, $3, $4, decode(repeat('00', 20), 'hex'), 1)`,
      [deposit.index, deposit.accountId, deposit.tokenId, String(deposit.amount)],
    );
}

/** What a record shows of itself, in the words of the contract. */
function shownBy(item: BatchItem) {
  if (item.kind === 'deposit') {
    const { accountId, tokenId, amount } = item.deposit;
    return { kind: 'inboundTransfer', accountId, tokenId, amount, toAddress: 0n };
  }
  if (item.kind === 'credit')
    return { kind: 'credit', accountId: item.order.toAccountId, tokenId: 0, amount: 0n, toAddress: 0n };
  const { operation, accountId } = item.stored;
  const nothing = { tokenId: 0, amount: 0n, toAddress: 0n };
  if (operation.kind !== 'outboundTransfer') return { kind: operation.kind, accountId, ...nothing };
  const { kind, tokenId, amount, toEthereumAddress } = operation;
  return { kind, accountId, tokenId, amount, toAddress: BigInt(toEthereumAddress) };
}

/** Hash of the money order that a record says it made; 0 for none. */
function orderOf(item: BatchItem): bigint {
  if (item.kind === 'deposit') return moneyOrderHash(inboundMoneyOrder(item.deposit));
  if (item.kind === 'credit') return 0n;
  const { operation } = item.stored;
  return operation.kind === 'createMoneyOrder' ? moneyOrderHash(operation.order) : 0n;
}

/** @returns by place, the records of a final batch, each of which says what the chain has there */
async function finalRecords({ store }: Observer, event: FinalBatch): Promise<Map<number, BatchItem>> {
  const { height } = event;
  expect(await store.findBatch(height)).toMatchObject({
    state: 'final',
    ...event.at,
    roots: { state: event.nextStateRoot, orders: event.ordersRoot },
  });
  const items = new Map<number, BatchItem>();
  await store.sequence(async (step) => {
    for (const item of await step.batchItems(await step.batch(height))) items.set(item.index, item);
  });
  for (const [index, item] of items) {
    const place = {
      ...parseOperationHeader(event.headers[index] as bigint),
      toAddress: BigInt(event.recipients[index] as string),
    };
    expect(shownBy(item)).toEqual(place);
    const next = event.headers[index + 1];
    const isCredited = next !== undefined && parseOperationHeader(next).kind === 'credit';
    expect(isCredited ? 0n : orderOf(item)).toBe(event.orders[index]);
    if (item.kind === 'operation')
      expect(operationHash(DOMAIN, item.stored.operation)).toBe(item.stored.hash);
  }
  await expectOrdersAndLeaves(store, event);
  return items;
}

/** Every order of the batch is there, and an account that is known has the last leaf that was published of it. */
async function expectOrdersAndLeaves(store: RollupStore, event: FinalBatch): Promise<void> {
  const { height } = event;
  const leaves = new Map<number, bigint>();
  for (const [index, header] of event.headers.entries()) {
    const order = event.orders[index] as bigint;
    const found = await store.findMoneyOrder(totalIndex(height, index));
    expect(found?.hash ?? 0n).toBe(order);
    if (found?.order !== undefined) expect(moneyOrderHash(found.order)).toBe(order);
    const leaf = event.leaves[index] as bigint;
    if (leaf !== 0n) leaves.set(parseOperationHeader(header).accountId, leaf);
  }
  for (const [id, leaf] of leaves) {
    const account = await store.findAccount(id, height);
    if (account !== undefined) expect(accountHash(account)).toBe(leaf);
  }
}

describe('what circuit and contract accept', () => {
  it.each([21, 22, 23])('is final at every operator, as the chain has it (seed %i)', async (seed) => {
    const rollup = new LawfulBatches(seededRandom(seed), SIZE);
    const batches = Array.from({ length: BATCHES }, () => rollup.next());
    const honest = new Set(rollup.honest.map(({ id }) => id));
    const operations = batches.flatMap((one) => one.operations);
    const [registered, rebuilt] = observers;
    for (const observer of observers) await addDeposits(observer, operations);
    for (const operation of operations)
      if (operation.kind === 'createAccount' && honest.has(operation.accountId))
        await registered.store.accept({ hash: operationHash(DOMAIN, operation), operation });
    const sequencers = observers.map(
      ({ store }) =>
        new Sequencer(store, { domain: DOMAIN, batchSize: 2, operatorSecrets: [OPERATOR_SECRET] }),
    );
    let records = 0;
    for (const { batch } of batches) {
      const event = eventOf(batch);
      for (const sequencer of sequencers) await sequencer.adopt(event);
      const [mine, theirs] = [await finalRecords(registered, event), await finalRecords(rebuilt, event)];
      // One that was told less knows less, and never something else.
      for (const [index, item] of theirs)
        expect(shownBy(item)).toEqual(shownBy(mine.get(index) as BatchItem));
      records += theirs.size;
    }
    expect(records).toBeGreaterThan(BATCHES);
  });
});
