import { asBuffer, type Database } from '@tetrad/db';
import { addressFromBytes, hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type pg from 'pg';
import { writeBlocks } from './append-block.js';
import { BatchedLookup, NODE_TABLES, PUBLIC_STATE, publicState, type StateTables } from './batched-lookup.js';
import { ConsensusRecords } from './consensus-records.js';
import { FlatStateStore, type FlatRows } from './flat-state-store.js';
import { findLogs } from './find-logs.js';
import { PrismaClient, type Block, type Transaction } from './generated/client.js';
import { InstanceLock } from './instance-lock.js';
import type {
  BlockRow,
  BlockWrite,
  ChainIdentity,
  FoundLogRow,
  LogQuery,
  LogRow,
  TransactionRow,
} from './ledger-rows.js';
import { LedgerStoreError } from './ledger-store-error.js';
import { PoolJournal } from './pool-journal.js';
import { PrivateStateStore } from './private-state-store.js';
import { StateHistoryStore } from './state-history-store.js';
import { ValidatorStore } from './validator-store.js';

/** The node's ledger in PostgreSQL. A block and everything stored with it is one transaction. */
export interface LedgerStore {
  /** Identity of the stored chain; undefined in a new database. */
  findIdentity(): Promise<ChainIdentity | undefined>;
  /** Stores block 0 with its state and the identity of the chain. */
  initialise(identity: ChainIdentity, genesis: BlockWrite): Promise<void>;
  /** Stores the block that follows the head and moves the head. Fails: LedgerStoreError when it does not follow. */
  appendBlock(write: BlockWrite): Promise<void>;
  /** Stores consecutive blocks in one transaction: all of them, or none. Fails: as `appendBlock` */
  appendBlocks(writes: readonly BlockWrite[]): Promise<void>;
  findHead(): Promise<BlockRow | undefined>;
  findBlockByNumber(number: number): Promise<BlockRow | undefined>;
  /** In ascending order; numbers are inclusive, missing blocks are omitted. */
  listBlocks(from: number, to: number): Promise<BlockRow[]>;
  findBlockByHash(hash: Hash): Promise<BlockRow | undefined>;
  /** In the order of the block. */
  listTransactions(blockNumber: number): Promise<TransactionRow[]>;
  findTransaction(hash: Hash): Promise<TransactionRow | undefined>;
  /** In the order of the block; all of them, or `count` from the index `first` on. */
  listBlockLogs(
    blockNumber: number,
    part?: { readonly first: number; readonly count: number },
  ): Promise<LogRow[]>;
  findLogs(query: LogQuery): Promise<FoundLogRow[]>;
  findNode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  findCode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
  readonly flatState: FlatRows;
  readonly history: StateHistoryStore;
  readonly journal: PoolJournal;
  readonly consensusRecords: ConsensusRecords;
  readonly validators: ValidatorStore;
  readonly privateState: PrivateStateStore;
  close(): Promise<void>;
}

/** Opens the store and locks the database for this process. Fails: LedgerStoreError when another process holds it. */
export async function openLedgerStore(database: Database): Promise<LedgerStore> {
  const prisma = new PrismaClient({ adapter: database.adapter });
  const lock = new InstanceLock(database);
  await lock.hold();
  const history = await StateHistoryStore.open(database, lock);
  const [nodeTable, otherTable] = NODE_TABLES;
  const nodes = new BatchedLookup(database, nodeTable, () => (history.isUsed ? otherTable : undefined));
  const codes = new BatchedLookup(database, PUBLIC_STATE.codes);
  const preimages = new BatchedLookup(database, PUBLIC_STATE.preimages);
  const appendBlocks: LedgerStore['appendBlocks'] = async (writes) => {
    await lock.hold();
    await database.transaction(async (client) => {
      await writeBlocks(client, writes, await moveHead(client, writes));
    });
  };

  return {
    async findIdentity() {
      const chain = await prisma.chain.findUnique({ where: { id: 1 } });
      return chain === null
        ? undefined
        : { chainId: BigInt(chain.chainId), genesisHash: hashFromBytes(chain.genesisHash) };
    },
    async initialise({ chainId, genesisHash }, genesis) {
      await lock.hold();
      await database.transaction(async (client) => {
        await writeBlocks(client, [genesis], PUBLIC_STATE);
        await client.query(
          'INSERT INTO chain (id, chain_id, genesis_hash, head_number) VALUES (1, $1, $2, $3)',
          [chainId.toString(), hashToBytes(genesisHash), genesis.block.number],
        );
      });
    },
    appendBlock: (write) => appendBlocks([write]),
    appendBlocks,
    async findHead() {
      const chain = await prisma.chain.findUnique({ where: { id: 1 } });
      if (chain === null) return undefined;
      const block = await prisma.block.findUnique({ where: { number: chain.headNumber } });
      return block === null ? undefined : toBlockRow(block);
    },
    async findBlockByNumber(number) {
      const block = await prisma.block.findUnique({ where: { number } });
      return block === null ? undefined : toBlockRow(block);
    },
    async listBlocks(from, to) {
      const where = { number: { gte: from, lte: to } };
      return (await prisma.block.findMany({ where, orderBy: { number: 'asc' } })).map(toBlockRow);
    },
    async findBlockByHash(hash) {
      const block = await prisma.block.findUnique({ where: { hash: Buffer.from(hashToBytes(hash)) } });
      return block === null ? undefined : toBlockRow(block);
    },
    async listTransactions(blockNumber) {
      const rows = await prisma.transaction.findMany({ where: { blockNumber }, orderBy: { index: 'asc' } });
      return rows.map(toTransactionRow);
    },
    async findTransaction(hash) {
      const row = await prisma.transaction.findUnique({ where: { hash: Buffer.from(hashToBytes(hash)) } });
      return row === null ? undefined : toTransactionRow(row);
    },
    async listBlockLogs(blockNumber, part) {
      if (part?.count === 0) return [];
      const index = part === undefined ? {} : { index: { gte: part.first, lt: part.first + part.count } };
      const rows = await prisma.log.findMany({ where: { blockNumber, ...index }, orderBy: { index: 'asc' } });
      return rows.map((row) => ({
        blockNumber: Number(row.blockNumber),
        index: row.index,
        transactionIndex: row.transactionIndex,
        address: addressFromBytes(row.address),
        topics: [row.topic0, row.topic1, row.topic2, row.topic3].flatMap((topic) =>
          topic === null ? [] : [hashFromBytes(topic)],
        ),
        data: row.data,
      }));
    },
    findLogs: (query) => findLogs(database, query),
    findNode: (hash) => nodes.find(hash),
    findCode: (hash) => codes.find(hash),
    findPreimage: (hash) => preimages.find(hash),
    flatState: new FlatStateStore(database, lock),
    history,
    journal: new PoolJournal(database, lock),
    consensusRecords: new ConsensusRecords(database, lock),
    validators: new ValidatorStore(database, lock),
    privateState: new PrivateStateStore(database, lock),
    async close() {
      await lock.release();
      await prisma.$disconnect();
    },
  };
}

/**
 * Out:   the tables of the state, as of this transaction: they change between blocks, maybe by another process
 * Fails: LedgerStoreError when the first block does not follow the head
 */
async function moveHead(client: pg.ClientBase, writes: readonly BlockWrite[]): Promise<StateTables> {
  const [first, last] = [writes[0], writes.at(-1)];
  if (first === undefined || last === undefined) throw new LedgerStoreError('no block to store');
  const moved = await client.query<{ state_table: number | null }>({
    name: 'move-head',
    text: `UPDATE chain SET head_number = $1::bigint
            WHERE id = 1 AND head_number = $2::bigint - 1
              AND EXISTS (SELECT FROM block WHERE number = $2::bigint - 1 AND hash = $3)
        RETURNING state_table`,
    values: [last.block.number, first.block.number, asBuffer(hashToBytes(first.parentHash))],
  });
  const [chain] = moved.rows;
  if (chain === undefined) throw new LedgerStoreError(`block ${first.block.number} does not follow the head`);
  return publicState(chain.state_table);
}

function toBlockRow(block: Block): BlockRow {
  return {
    number: Number(block.number),
    hash: hashFromBytes(block.hash),
    stateRoot: hashFromBytes(block.stateRoot),
    timestamp: block.timestamp,
    header: block.header,
    totalTransactions: Number(block.totalTransactions),
  };
}

function toTransactionRow(row: Transaction): TransactionRow {
  return {
    blockNumber: Number(row.blockNumber),
    index: row.index,
    hash: hashFromBytes(row.hash),
    sender: addressFromBytes(row.sender),
    raw: row.raw,
    status: row.status === 1 ? 1 : 0,
    gasUsed: BigInt(row.gasUsed),
    cumulativeGasUsed: BigInt(row.cumulativeGasUsed),
    ...(row.contractAddress === null ? {} : { contractAddress: addressFromBytes(row.contractAddress) }),
    firstLog: row.firstLog,
    logCount: row.logCount,
    ...(row.revertReason === null ? {} : { revertReason: row.revertReason }),
  };
}
