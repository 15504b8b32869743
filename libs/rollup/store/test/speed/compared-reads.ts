import { decodeWord, totalIndex } from '@tetrad/rollup-crypto';
import type { ComparedStatement } from '@tetrad/testkit';
import { BATCH_FIELDS, parseBatch } from '../../src/batch-rows.js';
import { parseDeposit } from '../../src/deposit-rows.js';
import { batchDeposits } from '../../src/hot/batch-deposits.js';
import { batchOperations } from '../../src/hot/batch-operations.js';
import { findFinalHeight } from '../../src/hot/final-height.js';
import { findBatches } from '../../src/hot/find-batches.js';
import { findBatchOrders } from '../../src/hot/find-batch-orders.js';
import { findBatchReceived } from '../../src/hot/find-batch-received.js';
import { findMoneyOrders } from '../../src/hot/find-money-orders.js';
import { findPreviousOrders } from '../../src/hot/find-previous-orders.js';
import { listReceivedOrders } from '../../src/hot/list-received-orders.js';
import { readHead } from '../../src/hot/read-head.js';
import { readTreeNodes } from '../../src/hot/read-tree-nodes.js';
import { readyDeposits } from '../../src/hot/ready-deposits.js';
import { ORDER_FIELDS, parseOrder } from '../../src/money-order-rows.js';
import { OPERATION_FIELDS, parseOperation } from '../../src/parse-operation.js';
import { selectOf } from '../../src/read-row.js';
import { BATCHES, GROUP, range, type FilledRollup } from './filled-rollup.js';

const LOOKUPS = 50;
/** Accounts whose holders listen. */
const SUBSCRIBERS = 1_000;

const order = selectOf(ORDER_FIELDS);
const byPlace = { orderBy: { totalIndex: 'asc' } } as const;

/** Orders, which requests look up and list. */
export function comparedOrders({ database: { pool }, rows: { client } }: FilledRollup): ComparedStatement[] {
  const places = range(LOOKUPS).map((index) => totalIndex(1, index));
  const received = { toAccountId: 8, fromTotalIndex: 0, upToHeight: 1, limit: GROUP };
  const subscribers = range(SUBSCRIBERS);
  return [
    {
      statement: 'find-money-orders',
      rows: LOOKUPS,
      sql: () => findMoneyOrders(pool, places),
      client: async () =>
        (await client.moneyOrder.findMany({ where: { totalIndex: { in: places } }, select: order })).map(
          parseOrder,
        ),
    },
    {
      statement: 'list-received-orders',
      rows: GROUP,
      sql: () => listReceivedOrders(pool, received),
      client: () => listReceived(client),
    },
    {
      statement: 'find-batch-received',
      rows: SUBSCRIBERS,
      sql: () => findBatchReceived(pool, 1, subscribers),
      client: async () => {
        const where = { batchHeight: 1, toAccountId: { in: subscribers } };
        return (await client.moneyOrder.findMany({ where, ...byPlace, select: order })).map(parseOrder);
      },
    },
    {
      statement: 'find-batch-orders',
      rows: GROUP,
      sql: () => findBatchOrders(pool, [1]),
      client: async () => {
        const select = { totalIndex: true, hash: true };
        const found = await client.moneyOrder.findMany({
          where: { batchHeight: { in: [1] } },
          ...byPlace,
          select,
        });
        return found.map(({ hash }) => decodeWord(hash));
      },
    },
    comparedPreviousOrders(pool, client),
  ];
}

type Client = FilledRollup['rows']['client'];

/** Redemption index and orders of one snapshot. */
function listReceived(client: Client) {
  return client.$transaction(
    async (calls) => {
      const latest = await calls.accountVersion.findFirst({
        where: { accountId: 8 },
        orderBy: { batchHeight: 'desc' },
      });
      const index = latest?.redemptionIndex ?? 0n;
      const open = [{ redeemedHeight: { not: null } }, { totalIndex: { gt: index } }];
      const found = await calls.moneyOrder.findMany({
        where: { toAccountId: 8, totalIndex: { gte: 0, lt: 131_072 }, OR: open },
        ...byPlace,
        take: GROUP,
        select: order,
      });
      return found.map(parseOrder);
    },
    { isolationLevel: 'RepeatableRead' },
  );
}

function comparedPreviousOrders(pool: FilledRollup['database']['pool'], client: Client): ComparedStatement {
  const previous = range(LOOKUPS).map((index) => ({ accountId: 8, before: totalIndex(BATCHES, index) }));
  return {
    statement: 'find-previous-orders',
    rows: LOOKUPS,
    sql: () => findPreviousOrders(pool, previous, 0n),
    client: async () => {
      for (const { accountId, before } of previous)
        await client.moneyOrder.findFirst({
          where: { toAccountId: accountId, totalIndex: { lt: before }, amount: { gte: '0' } },
          orderBy: { totalIndex: 'desc' },
          select: { totalIndex: true },
        });
    },
  };
}

/** Batches and what is in them. */
export function comparedBatches({ database: { pool }, rows: { client } }: FilledRollup): ComparedStatement[] {
  const first = { where: { batchHeight: 1 } };
  return [
    {
      statement: 'find-batches',
      rows: 1,
      sql: () => findBatches(pool, [1]),
      client: async () =>
        parseBatch(
          await client.batch.findUniqueOrThrow({ where: { height: 1 }, select: selectOf(BATCH_FIELDS) }),
        ),
    },
    {
      statement: 'final-height',
      rows: 1,
      sql: () => findFinalHeight(pool),
      client: () =>
        client.batch.findFirst({
          where: { state: 'final' },
          select: { height: true },
          orderBy: { height: 'desc' },
        }),
    },
    {
      statement: 'batch-operations',
      rows: GROUP,
      sql: () => batchOperations(pool, 1),
      client: async () =>
        (await client.operation.findMany({ ...first, select: selectOf(OPERATION_FIELDS) })).map(
          parseOperation,
        ),
    },
    {
      statement: 'batch-deposits',
      rows: GROUP,
      sql: () => batchDeposits(pool, 1),
      client: async () => (await client.deposit.findMany(first)).map(parseDeposit),
    },
  ];
}

/** What steps of the sequence read before anything else, and nodes for proofs. */
export function comparedSteps({ database: { pool }, rows: { client } }: FilledRollup): ComparedStatement[] {
  const nodes = range(GROUP).map((index) => ({ level: 0, index }));
  return [
    {
      statement: 'read-head',
      rows: 1,
      sql: () => readHead(pool),
      client: () => client.sequenceHead.findUnique({ where: { id: 1 } }),
    },
    {
      statement: 'ready-deposits',
      rows: GROUP,
      sql: () => readyDeposits(pool, { from: GROUP, limit: GROUP }),
      client: async () => {
        const where = { index: { gte: GROUP } };
        return (await client.deposit.findMany({ where, orderBy: { index: 'asc' }, take: GROUP })).map(
          parseDeposit,
        );
      },
    },
    {
      statement: 'read-tree-nodes',
      rows: GROUP,
      sql: () => readTreeNodes(pool, 'account', nodes, BATCHES),
      client: async () => {
        for (const { level, index } of nodes)
          await client.treeNode.findFirst({
            where: { tree: 1, level, index, batchHeight: { lte: BATCHES } },
            orderBy: { batchHeight: 'desc' },
            select: { hash: true },
          });
      },
    },
  ];
}
