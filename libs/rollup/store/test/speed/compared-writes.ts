import { randomBytes } from 'node:crypto';
import { clientBytes } from '@tetrad/db';
import { encodeWord, encodeWords } from '@tetrad/rollup-crypto';
import { ZERO_ADDRESS } from '@tetrad/types';
import type { ComparedStatement } from '@tetrad/testkit';
import { deleteOpaquePlaces } from '../../src/hot/delete-opaque-places.js';
import { insertDeposits } from '../../src/hot/insert-deposits.js';
import { insertOpaquePlaces } from '../../src/hot/insert-opaque-places.js';
import { insertOperations } from '../../src/hot/insert-operations.js';
import { insertRequests } from '../../src/hot/insert-requests.js';
import { readArrivals } from '../../src/hot/read-arrivals.js';
import { replacePending } from '../../src/hot/replace-pending.js';
import { writeAssembly } from '../../src/hot/write-assembly.js';
import { writeHead } from '../../src/hot/write-head.js';
import { writeTreeNodes } from '../../src/hot/write-tree-nodes.js';
import { writtenOperation } from '../../src/written-operation.js';
import {
  CIPHERTEXT,
  GROUP,
  OPERATION,
  ORDER,
  SEALED,
  SIGNATURE,
  range,
  type FilledRollup,
} from './filled-rollup.js';

const NODES = 1_000;
/** Begin of a window of quotas, and its length. */
const WINDOW_MS = 86_400_000;
/** What a batch of some hundred operations is proved with. */
const PROVING_BYTES = 1_000_000;

/** Heights, indexes and the like that no row has yet. */
let next = 1_000_000;
const fresh = () => (next += GROUP) - GROUP;

/** What is accepted, and what the chain says. */
export function comparedArrivals({
  database: { pool },
  rows: { client },
}: FilledRollup): ComparedStatement[] {
  const sender = Buffer.alloc(20);
  const operation = {
    kind: 'createMoneyOrder',
    order: ORDER,
    ciphertext: CIPHERTEXT,
    signature: SIGNATURE,
  } as const;
  const taking = range(GROUP).map((index) => ({ hash: '00', accountId: 1, nonce: 100 + index }));
  const deposits = (first: number) =>
    range(GROUP).map((index) => ({ index: first + index, accountId: 7, tokenId: 0, blockNumber: 1 }));
  const requests = (blockNumber: number) =>
    range(GROUP).map((logIndex) => ({ blockNumber, logIndex, accountId: 7, tokenId: 0, overdueAt: 1 }));
  return [
    {
      statement: 'insert-operations',
      rows: GROUP,
      sql: () => {
        const first = fresh();
        return insertOperations(
          pool,
          range(GROUP).map((position) => ({
            ...writtenOperation({
              hash: BigInt(first + position),
              operation: { ...operation, nonce: first + position },
            }),
            position,
            replaced: false,
            counts: true,
            turn: first + position,
            places: 1,
          })),
          WINDOW_MS,
        );
      },
      client: () => {
        const first = fresh();
        return client.operation.createMany({
          data: range(GROUP).map((index) => ({
            ...OPERATION,
            nonce: first + index,
            hash: clientBytes(encodeWord(BigInt(first + index))),
          })),
          skipDuplicates: true,
        });
      },
    },
    {
      statement: 'read-arrivals',
      rows: GROUP,
      sql: () => readArrivals(pool, taking, WINDOW_MS),
      client: () => readArrivalsByClient(client, taking),
    },
    {
      statement: 'replace-pending',
      rows: GROUP,
      sql: () => replacePending(pool, taking),
      client: () =>
        client.$transaction(async (calls) => {
          for (const { accountId, nonce } of taking)
            await calls.operation.updateMany({
              where: { accountId, nonce, status: 'PENDING' },
              data: { status: 'REJECTED', waiting: false },
            });
        }),
    },
    {
      statement: 'insert-deposits',
      rows: GROUP,
      sql: () =>
        insertDeposits(
          pool,
          deposits(fresh()).map((one) => ({ ...one, amount: 5n, sender: ZERO_ADDRESS })),
        ),
      client: () =>
        client.deposit.createMany({
          data: deposits(fresh()).map((one) => ({ ...one, amount: '5', sender })),
          skipDuplicates: true,
        }),
    },
    {
      statement: 'insert-requests',
      rows: GROUP,
      sql: () =>
        insertRequests(
          pool,
          requests(fresh()).map((one) => ({ ...one, amount: 5n, recipient: ZERO_ADDRESS })),
        ),
      client: () =>
        client.outboundRequest.createMany({
          data: requests(fresh()).map((one) => ({ ...one, amount: '5', recipient: sender })),
          skipDuplicates: true,
        }),
    },
    ...comparedPlaces({ pool, client }),
  ];
}

/** In a transaction, of which the statement is one of several. */
async function readArrivalsByClient(
  client: FilledRollup['rows']['client'],
  taking: readonly { readonly hash: string; readonly accountId: number; readonly nonce: number }[],
): Promise<void> {
  const hashes = taking.map(({ hash }) => clientBytes(Buffer.from(hash, 'hex')));
  const places = taking.map(({ accountId, nonce }) => ({ accountId, nonce }));
  const ready = { status: 'PENDING', waiting: false, accountId: { not: null } };
  await client.$transaction(async (calls) => {
    await calls.operation.findMany({ where: { hash: { in: hashes } }, select: { hash: true, status: true } });
    await calls.operation.findMany({ where: { status: 'PENDING', OR: places }, select: { hash: true } });
    await calls.accountQuota.findMany({
      where: { accountId: { in: [0, ...new Set(places.map((place) => place.accountId))] } },
    });
    await calls.operation.findFirst({ where: ready, orderBy: { turn: 'asc' }, select: { turn: true } });
  });
}

/** Places in batches of others, which come and go by the batch. */
function comparedPlaces({
  pool,
  client,
}: {
  readonly pool: FilledRollup['database']['pool'];
  readonly client: FilledRollup['rows']['client'];
}): ComparedStatement[] {
  const words = Array<bigint>(15).fill(1n);
  const places = (batchHeight: number) =>
    range(GROUP).map((batchIndex) => ({ batchHeight, batchIndex, accountId: 7, tokenId: 0 }));
  const bytes = { recipient: Buffer.alloc(20), ciphertext: clientBytes(encodeWords(words)) };
  const leaf = clientBytes(encodeWord(1n));
  return [
    {
      statement: 'insert-opaque-places',
      rows: GROUP,
      sql: () =>
        insertOpaquePlaces(
          pool,
          places(fresh()).map((place) => ({
            ...place,
            kind: 'createMoneyOrder',
            amount: 0n,
            recipient: ZERO_ADDRESS,
            words,
            leaf: 1n,
            orderHash: 1n,
          })),
        ),
      client: () =>
        client.opaquePlace.createMany({
          data: places(fresh()).map((place) => ({
            ...place,
            ...bytes,
            kind: 2,
            amount: '0',
            leaf,
            orderHash: leaf,
          })),
        }),
    },
    {
      statement: 'delete-opaque-places',
      rows: GROUP,
      sql: () => deleteOpaquePlaces(pool, places(fresh())),
      client: () =>
        client.opaquePlace.deleteMany({
          where: { OR: places(fresh()).map(({ batchHeight, batchIndex }) => ({ batchHeight, batchIndex })) },
        }),
    },
  ];
}

/** What assembling a batch writes. */
export function comparedAssembly({
  database: { pool },
  rows: { client },
}: FilledRollup): ComparedStatement[] {
  const root = clientBytes(encodeWord(1n));
  const roots = { previousState: 1n, state: 1n, account: 1n, orders: 1n };
  const proving = randomBytes(PROVING_BYTES);
  const columns = { previousStateRoot: root, stateRoot: root, accountRoot: root, ordersRoot: root };
  const head = { nextAccountId: 1, openHeight: 1, openIndex: 0, nextInbound: 0, assembledHeight: 0 };
  return [
    {
      statement: 'write-assembly',
      rows: 1,
      sql: () => writeAssembly(pool, SEALED, { roots, proving }),
      client: () =>
        client.batch.updateMany({
          where: { height: SEALED, state: 'sealed' },
          data: { ...columns, proving },
        }),
    },
    {
      statement: 'write-tree-nodes',
      rows: NODES,
      sql: () => {
        const first = fresh();
        return writeTreeNodes(
          pool,
          'account',
          first,
          range(NODES).map((index) => ({ level: 0, index, hash: 1n })),
        );
      },
      client: () => {
        const batchHeight = fresh();
        return client.treeNode.createMany({
          data: range(NODES).map((index) => ({ tree: 1, level: 0, index, batchHeight, hash: root })),
        });
      },
    },
    {
      statement: 'write-head',
      rows: 1,
      sql: () => writeHead(pool, { ...head, version: 1 }),
      client: () => client.sequenceHead.updateMany({ where: { id: 1 }, data: { ...head, version: 2 } }),
    },
  ];
}
