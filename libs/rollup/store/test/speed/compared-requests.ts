import type { ComparedStatement } from '@tetrad/testkit';
import { executedAt } from '../../src/hot/executed-at.js';
import { findFrozen } from '../../src/hot/find-frozen.js';
import { insertRequested } from '../../src/hot/insert-requested.js';
import { requestedWith } from '../../src/hot/requested-with.js';
import { settleRequested } from '../../src/hot/settle-requested.js';
import { OPERATION_FIELDS, parseOperation } from '../../src/parse-operation.js';
import { writtenHolding, type ProvedHolding } from '../../src/proved-holdings.js';
import { selectOf } from '../../src/read-row.js';
import type { StoredRequest } from '../../src/requests.js';
import { writtenOperation } from '../../src/written-operation.js';
import { CIPHERTEXT, GROUP, KEYS, ORDER, SIGNATURE, range, type FilledRollup } from './filled-rollup.js';

type Client = FilledRollup['rows']['client'];

const PROVED: ProvedHolding = {
  id: 1,
  publicKey: KEYS[0]!,
  jointKey: { hash: 5n },
  blindingFactor: 99n,
  nonce: 0,
  redemptionIndex: 0,
  tokenId: 0,
  balance: 5n,
  siblings: Array<bigint>(8).fill(1n),
};

/** Blocks that have no requests yet. */
let next = 2_000_000;

/** What holders ask the contract for: one operation of each of as many accounts as there are in a group. */
export async function comparedRequests({
  database: { pool },
  rows: { client },
}: FilledRollup): Promise<ComparedStatement[]> {
  await insertRequested(pool, requestsOf(next++));
  const place = { batchHeight: 1, batchIndex: 7 };
  return [
    {
      statement: 'requested-with',
      rows: 1,
      sql: () => requestedWith(pool, 1, 1),
      client: () =>
        client.requestedOperation.findMany({
          where: { accountId: 1, nonce: 1 },
          select: { operation: true },
          take: 16,
        }),
    },
    {
      statement: 'settle-requested',
      rows: 0,
      sql: () => settleRequested(pool, [1]),
      client: () => settleByClient(client, 1),
    },
    {
      statement: 'executed-at',
      rows: 1,
      sql: () => executedAt(pool, place),
      client: async () =>
        parseOperation(
          await client.operation.findFirstOrThrow({ where: place, select: selectOf(OPERATION_FIELDS) }),
        ),
    },
    {
      statement: 'find-frozen',
      rows: 0,
      sql: () => findFrozen(pool),
      client: () => client.frozenRollup.findFirst({ select: { height: true, blockNumber: true } }),
    },
    {
      statement: 'insert-requested',
      rows: GROUP,
      sql: () => insertRequested(pool, requestsOf(next++)),
      client: () =>
        client.requestedOperation.createMany({
          data: requestsOf(next++).map(({ hash, operation, proved, amount, ...row }) => ({
            ...row,
            accountId: proved.id,
            amount: String(amount),
            proved: writtenHolding(proved),
            operation: { ...writtenOperation({ hash, operation }) },
          })),
          skipDuplicates: true,
        }),
    },
  ];
}

function requestsOf(blockNumber: number): StoredRequest[] {
  return range(GROUP).map((logIndex) => {
    const order = { ...ORDER, toAccountId: logIndex + 1 };
    return {
      blockNumber,
      logIndex,
      height: 2,
      nonce: 1,
      tokenId: 0,
      amount: 5n,
      hash: BigInt(logIndex + 1),
      proved: { ...PROVED, id: logIndex + 1 },
      operation: {
        kind: 'redeemMoneyOrder',
        order,
        nonce: 1,
        totalIndex: 1,
        ciphertext: CIPHERTEXT,
        signature: SIGNATURE,
      },
    };
  });
}

/** The client joins along relations alone: it reads who has an operation in the batch. */
async function settleByClient(client: Client, height: number): Promise<void> {
  const final = await client.batch.findMany({ where: { height, state: 'final' }, select: { height: true } });
  for (const { height: batchHeight } of final) {
    const versions = await client.accountVersion.findMany({
      where: { batchHeight },
      select: { accountId: true },
    });
    await client.requestedOperation.updateMany({
      where: {
        accountId: { in: versions.map(({ accountId }) => accountId) },
        answered: false,
        height: { lt: batchHeight },
      },
      data: { answered: true },
    });
  }
}
