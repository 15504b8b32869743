import { asBuffer, clientBytes } from '@tetrad/db';
import type { ComparedStatement } from '@tetrad/testkit';
import { addressToBytes, hashToBytes, type Hash } from '@tetrad/types';
import { appendHeaders } from '../../src/hot/append-headers.js';
import { appendLogs } from '../../src/hot/append-logs.js';
import { appendTransactions } from '../../src/hot/append-transactions.js';
import { createChain } from '../../src/hot/create-chain.js';
import { findBlocks } from '../../src/hot/find-blocks.js';
import { findLogs } from '../../src/hot/find-logs.js';
import { findTransactions } from '../../src/hot/find-transactions.js';
import { journalPool, loadPool } from '../../src/hot/journal-pool.js';
import { leavePool } from '../../src/hot/leave-pool.js';
import { listLogs } from '../../src/hot/list-logs.js';
import { listPlaced } from '../../src/hot/list-placed.js';
import { moveHead } from '../../src/hot/move-head.js';
import type { StoredBlock, StoredLog, StoredTransaction } from '../../src/index.js';
import type { Stores } from './stores.js';
import { anyHash, blockRow, logRows, nextNumber, transactionRows } from './sample-rows.js';

const BLOCK = 300;
const PAGE = 1_000;

const bytesOf = (hash: Hash) => clientBytes(hashToBytes(hash));

const blockData = ({ hash, stateRoot, header, ...row }: StoredBlock) => ({
  ...row,
  hash: bytesOf(hash),
  stateRoot: bytesOf(stateRoot),
  header: clientBytes(header),
});
const transactionData = ({
  hash,
  sender,
  raw,
  contractAddress: _,
  revertReason: __,
  ...row
}: StoredTransaction) => ({
  ...row,
  hash: bytesOf(hash),
  sender: clientBytes(addressToBytes(sender)),
  raw: clientBytes(raw),
});
const logData = ({ address, topics, data, ...row }: StoredLog) => {
  const [topic0 = null, topic1 = null, topic2 = null] = topics.map(bytesOf);
  return {
    ...row,
    address: clientBytes(addressToBytes(address)),
    data: clientBytes(data),
    topic0,
    topic1,
    topic2,
  };
};

/** Writing blocks: what every block waits for. */
export async function measureBlocks({ database: { pool }, byClient }: Stores): Promise<ComparedStatement[]> {
  const genesis = blockRow(0);
  await appendHeaders(pool, [genesis]);
  await createChain(pool, { chainId: 1337n, genesisHash: genesis.hash }, 0);
  return [
    {
      statement: 'move-head',
      rows: 1,
      client: byClient(async (calls) => {
        await calls.block.findUnique({ where: { number: 0, hash: bytesOf(genesis.hash) } });
        await calls.chain.updateMany({ where: { id: 1, headNumber: 0n }, data: { headNumber: 0n } });
      }),
      sql: () => moveHead(pool, { first: 1, last: 0, parentHash: genesis.hash }),
    },
    {
      statement: 'append-headers',
      rows: 1,
      client: byClient((calls) => calls.block.createMany({ data: [blockData(blockRow(nextNumber()))] })),
      sql: () => appendHeaders(pool, [blockRow(nextNumber())]),
    },
    {
      statement: 'append-transactions',
      rows: BLOCK,
      client: byClient((calls) =>
        calls.transaction.createMany({ data: transactionRows(nextNumber(), BLOCK).map(transactionData) }),
      ),
      sql: () => appendTransactions(pool, transactionRows(nextNumber(), BLOCK)),
    },
    {
      statement: 'append-logs',
      rows: BLOCK,
      client: byClient((calls) => calls.log.createMany({ data: logRows(nextNumber(), BLOCK).map(logData) })),
      sql: () => appendLogs(pool, 'public', logRows(nextNumber(), BLOCK)),
    },
  ];
}

/** Reading blocks, transactions and logs: what requests wait for. */
export async function measureReads({ database, byClient }: Stores): Promise<ComparedStatement[]> {
  const { pool } = database;
  const number = nextNumber();
  const [header, transactions, logs] = [
    blockRow(number),
    transactionRows(number, BLOCK),
    logRows(number, BLOCK),
  ] as const;
  await appendHeaders(pool, [header]);
  await appendTransactions(pool, transactions);
  await appendLogs(pool, 'public', logs);
  const hash = bytesOf(transactions[0]?.hash as Hash);
  const search = { fromBlock: number, toBlock: number, addresses: [], topics: [], limit: 10_000 };
  return [
    {
      statement: 'find-blocks',
      rows: 1,
      client: byClient((calls) => calls.block.findUnique({ where: { number } })),
      sql: () => findBlocks(pool, 'find-block-by-number', [number]),
    },
    {
      statement: 'find-transactions',
      rows: 1,
      client: byClient((calls) => calls.transaction.findUnique({ where: { hash } })),
      sql: () => findTransactions(pool, 'find-transaction', asBuffer(hash)),
    },
    {
      statement: 'find-transactions',
      rows: BLOCK,
      client: byClient((calls) =>
        calls.transaction.findMany({ where: { blockNumber: number }, orderBy: { index: 'asc' } }),
      ),
      sql: () => findTransactions(pool, 'list-transactions', number),
    },
    {
      statement: 'list-logs',
      rows: BLOCK,
      client: byClient((calls) =>
        calls.log.findMany({ where: { blockNumber: number }, orderBy: { index: 'asc' } }),
      ),
      sql: () => listLogs(pool, 'public', { blockNumber: number }),
    },
    {
      statement: 'find-logs',
      rows: BLOCK,
      client: byClient(async (calls) => {
        const where = { blockNumber: { gte: number, lte: number } };
        const found = await calls.log.findMany({
          where,
          orderBy: [{ blockNumber: 'asc' }, { index: 'asc' }],
        });
        await calls.block.findMany({ where: { number: { in: found.map((log) => log.blockNumber) } } });
        await calls.transaction.findMany({ where, select: { hash: true, blockNumber: true, index: true } });
      }),
      sql: () => findLogs(database, search),
    },
    {
      statement: 'list-placed',
      rows: BLOCK,
      client: byClient((calls) =>
        calls.transaction.findMany({
          where: {
            blockNumber: { gte: number },
            OR: [{ blockNumber: { gt: number } }, { index: { gt: -1 } }],
          },
          orderBy: [{ blockNumber: 'asc' }, { index: 'asc' }],
          take: BLOCK,
          select: { blockNumber: true, index: true, raw: true, sender: true },
        }),
      ),
      sql: () => listPlaced(pool, { number, index: -1 }, BLOCK),
    },
  ];
}

/** The journal of the pool: what every accepted transaction waits for. */
export async function measurePool({
  database: { pool },
  client,
  byClient,
}: Stores): Promise<ComparedStatement[]> {
  const rows = (count: number) =>
    transactionRows(0, count).map(({ hash, raw }) => ({ hash, raw, acceptedMs: 1_800_000_000_000 }));
  const data = ({ hash, raw, acceptedMs }: ReturnType<typeof rows>[number]) => ({
    hash: bytesOf(hash),
    raw: clientBytes(raw),
    acceptedAt: new Date(acceptedMs),
  });
  const gone = [anyHash()];
  const journal = {
    statement: 'journal-pool',
    rows: 50,
    client: () =>
      client.transaction(async (own) => {
        await own.poolTransaction.deleteMany({ where: { hash: { in: gone.map(bytesOf) } } });
        await own.poolTransaction.createMany({ data: rows(50).map(data), skipDuplicates: true });
      }),
    sql: () => journalPool(pool, { rows: rows(50), gone }),
  };
  const mined = Array.from({ length: BLOCK }, anyHash);
  const hash = { in: mined.map(bytesOf) };
  return [
    journal,
    {
      statement: 'journal-pool',
      rows: PAGE,
      client: byClient((calls) =>
        calls.poolTransaction.findMany({ orderBy: { sequence: 'asc' }, take: PAGE }),
      ),
      sql: () => loadPool(pool, { after: -1n, limit: BigInt(PAGE) }),
    },
    {
      statement: 'leave-pool',
      rows: BLOCK,
      client: byClient((calls) => calls.poolTransaction.deleteMany({ where: { hash } })),
      sql: () => leavePool(pool, mined),
    },
  ];
}
