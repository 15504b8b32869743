import { clientBytes } from '@tetrad/db';
import { encodePoint, encodeWord, totalIndex } from '@tetrad/rollup-crypto';
import type { ComparedStatement } from '@tetrad/testkit';
import { takeDeposits } from '../../src/hot/take-deposits.js';
import { writeCreated } from '../../src/hot/write-created.js';
import { writeExecuted } from '../../src/hot/write-executed.js';
import { writeOpaque } from '../../src/hot/write-opaque.js';
import { writeOrders } from '../../src/hot/write-orders.js';
import { writeRedeemed } from '../../src/hot/write-redeemed.js';
import { writeRejected } from '../../src/hot/write-rejected.js';
import { writeVersions } from '../../src/hot/write-versions.js';
import { writeWaiting } from '../../src/hot/write-waiting.js';
import type { RollupCalls } from '../../src/rollup-client.js';
import { CONTENT, GROUP, KEYS, ORDER, range, type FilledRollup } from './filled-rollup.js';

let next = 100_000;
const freshHeight = () => next++;

/** What executing operations writes: the client has one call for each row where the rows differ. */
export async function comparedExecution({
  database: { pool },
  rows,
}: FilledRollup): Promise<ComparedStatement[]> {
  const { client } = rows;
  const operations = await client.operation.findMany({
    where: { batchHeight: 1 },
    select: { sequence: true, batchIndex: true },
  });
  const executed = operations.map(({ sequence, batchIndex }) => ({
    sequence: Number(sequence),
    accountId: 7,
    totalIndex: undefined,
    batchHeight: 1,
    batchIndex: batchIndex ?? 0,
  }));
  const deposits = range(GROUP).map((batchIndex) => ({
    index: GROUP + batchIndex,
    batchHeight: 1,
    batchIndex,
  }));
  /** A turn of the client: a call for each, in one transaction. */
  const each =
    <Item>(items: readonly Item[], call: (calls: RollupCalls, item: Item) => Promise<unknown>) =>
    () =>
      rows.transaction(async (calls) => {
        for (const item of items) await call(calls, item);
      });
  return [
    {
      statement: 'write-executed',
      rows: GROUP,
      sql: () => writeExecuted(pool, executed),
      client: each(executed, (calls, { sequence, ...place }) =>
        calls.operation.updateMany({
          where: { sequence },
          data: { ...place, totalIndex: null, status: 'EXECUTED', waiting: false, rejectionReason: null },
        }),
      ),
    },
    {
      statement: 'take-deposits',
      rows: GROUP,
      sql: () => takeDeposits(pool, deposits),
      client: each(deposits, (calls, { index, ...place }) =>
        calls.deposit.updateMany({ where: { index }, data: place }),
      ),
    },
    ...comparedRefusals(pool, rows.client),
    ...comparedAccounts(pool, each),
    ...comparedOrders(pool, each, rows),
  ];
}

type Each = <Item>(
  items: readonly Item[],
  call: (calls: RollupCalls, item: Item) => Promise<unknown>,
) => () => Promise<unknown>;
type Pool = FilledRollup['database']['pool'];

/** Of operations that no row has: nothing changes for the other measurements. */
function comparedRefusals(pool: Pool, client: FilledRollup['rows']['client']): ComparedStatement[] {
  const sequences = range(GROUP).map((index) => 1_000_000 + index);
  const where = { sequence: { in: sequences } };
  const rejected = sequences.map((sequence) => ({ sequence, reason: 'NONCE_USED' }));
  return [
    {
      statement: 'write-rejected',
      rows: GROUP,
      sql: () => writeRejected(pool, rejected),
      client: () =>
        client.operation.updateMany({
          where,
          data: { status: 'REJECTED', waiting: false, rejectionReason: 'NONCE_USED' },
        }),
    },
    {
      statement: 'write-waiting',
      rows: GROUP,
      sql: () => writeWaiting(pool, sequences),
      client: () => client.operation.updateMany({ where, data: { waiting: true } }),
    },
  ];
}

function comparedAccounts(pool: Pool, each: Each): ComparedStatement[] {
  const ids = range(GROUP).map((index) => index + 1);
  const created = ids.map((id) => ({ id, publicKey: KEYS[id - 1]!, createdHeight: 1 }));
  const version = { batchHeight: 3, nonce: 2, redemptionIndex: 0 };
  const versions = ids.map((id) => ({ ...version, id, balances: new Map([[0, 5n]]) }));
  return [
    {
      statement: 'write-created',
      rows: GROUP,
      sql: () => writeCreated(pool, created),
      client: each(created, (calls, { id, publicKey, createdHeight }) =>
        calls.account.updateMany({
          where: { publicKey: clientBytes(encodePoint(publicKey)) },
          data: { accountId: id, createdHeight },
        }),
      ),
    },
    {
      statement: 'write-versions',
      rows: GROUP,
      sql: () => writeVersions(pool, versions),
      client: each(ids, (calls, accountId) => {
        const row = { ...version, accountId, balances: { 0: '5' } };
        const where = { accountId_batchHeight: { accountId, batchHeight: 3 } };
        return calls.accountVersion.upsert({ where, create: row, update: row });
      }),
    },
    {
      statement: 'write-opaque',
      rows: GROUP,
      sql: () =>
        writeOpaque(
          pool,
          ids.map((id) => ({ id, batchHeight: 4 })),
        ),
      client: each(ids, (calls, accountId) => {
        const row = { accountId, batchHeight: 4 };
        return calls.accountVersion.upsert({
          where: { accountId_batchHeight: row },
          create: row,
          update: row,
        });
      }),
    },
  ];
}

function comparedOrders(pool: Pool, each: Each, { client }: FilledRollup['rows']): ComparedStatement[] {
  const hash = clientBytes(encodeWord(1n));
  const redeemed = range(GROUP).map((index) => ({
    totalIndex: totalIndex(1, index),
    batchHeight: 2,
    order: ORDER,
  }));
  return [
    {
      statement: 'write-orders',
      rows: GROUP,
      sql: () => {
        const height = freshHeight();
        return writeOrders(
          pool,
          range(GROUP).map((index) => ({ totalIndex: totalIndex(height, index), hash: 1n, order: ORDER })),
        );
      },
      client: () => {
        const batchHeight = freshHeight();
        return client.moneyOrder.createMany({
          data: range(GROUP).map((index) => ({
            ...CONTENT,
            hash,
            batchHeight,
            totalIndex: totalIndex(batchHeight, index),
          })),
        });
      },
    },
    {
      statement: 'write-redeemed',
      rows: GROUP,
      sql: () => writeRedeemed(pool, redeemed),
      client: each(redeemed, (calls, one) =>
        calls.moneyOrder.updateMany({
          where: { totalIndex: one.totalIndex },
          data: { ...CONTENT, redeemedHeight: one.batchHeight },
        }),
      ),
    },
  ];
}
