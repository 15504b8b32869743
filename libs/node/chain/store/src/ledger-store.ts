import type { Database } from '@tetrad/db';
import type { Hash } from '@tetrad/types';
import { AgreementStore } from './agreement-store.js';
import { AddressIndexStore } from './address-index-store.js';
import { writeBlocks } from './append-block.js';
import { BatchedLookup } from './batched-lookup.js';
import { ChainReader } from './chain-reader.js';
import { ConsensusRecords } from './consensus-records.js';
import { FlatStateStore, type FlatRows } from './flat-state-store.js';
import { createChain } from './hot/create-chain.js';
import { findLogs } from './hot/find-logs.js';
import { moveHead } from './hot/move-head.js';
import { findIdentity } from './hot/read-at-start.js';
import { InstanceLock } from './instance-lock.js';
import type {
  StoredBlock,
  BlockWrite,
  ChainIdentity,
  FoundLog,
  LogQuery,
  StoredLog,
  StoredTransaction,
  TransactionPlace,
} from './ledger-rows.js';
import { LedgerStoreError } from './ledger-store-error.js';
import { NodeClient } from './node-client.js';
import { listPlacedRows, type PlacedRows } from './placed-rows.js';
import { PoolJournal } from './pool-journal.js';
import { PrivateStateStore } from './private-state-store.js';
import { RepairStore } from './repair-store.js';
import { StateHistoryStore } from './state-history-store.js';
import { StateSyncStore } from './state-sync-store.js';
import { NODE_TABLES, PUBLIC_STATE, publicState, type StateTables } from './state-tables.js';
import type { Statements } from './statements.js';
import { ValidatorStore } from './validator-store.js';

/** The node's ledger in PostgreSQL. A block and everything stored with it is one transaction. */
export interface LedgerStore {
  /** Identity of the stored chain; undefined in a new database. */
  findIdentity(): Promise<ChainIdentity | undefined>;
  /** Stores block 0 with its state and the identity of the chain. */
  initialise(identity: ChainIdentity, genesis: BlockWrite): Promise<void>;
  /**
   * Stores the block that follows the head and moves the head.
   * @throws LedgerStoreError when it does not follow
   */
  appendBlock(write: BlockWrite): Promise<void>;
  /**
   * Stores consecutive blocks in one transaction: all of them, or none.
   * @throws as `appendBlock`
   */
  appendBlocks(writes: readonly BlockWrite[]): Promise<void>;
  findHead(): Promise<StoredBlock | undefined>;
  findBlockByNumber(number: number): Promise<StoredBlock | undefined>;
  /** In ascending order; numbers are inclusive, missing blocks are omitted. */
  listBlocks(from: number, to: number): Promise<StoredBlock[]>;
  findBlockByHash(hash: Hash): Promise<StoredBlock | undefined>;
  /** In the order of the block. */
  listTransactions(blockNumber: number): Promise<StoredTransaction[]>;
  findTransaction(hash: Hash): Promise<StoredTransaction | undefined>;
  /** In the order of the block; all of them, or `count` from the index `first` on. */
  listBlockLogs(
    blockNumber: number,
    part?: { readonly first: number; readonly count: number },
  ): Promise<StoredLog[]>;
  /** The rows of transactions at places anywhere in the chain, at most some hundreds. */
  listAt(places: readonly TransactionPlace[]): Promise<PlacedRows>;
  findLogs(query: LogQuery): Promise<FoundLog[]>;
  findNode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  findCode(hash: Uint8Array): Promise<Uint8Array | undefined>;
  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined>;
  readonly flatState: FlatRows;
  readonly history: StateHistoryStore;
  readonly stateSync: StateSyncStore;
  readonly journal: PoolJournal;
  readonly consensusRecords: ConsensusRecords;
  readonly validators: ValidatorStore;
  readonly privateState: PrivateStateStore;
  readonly agreement: AgreementStore;
  readonly repairs: RepairStore;
  readonly addressIndex: AddressIndexStore;
  close(): Promise<void>;
}

/**
 * Opens the store and locks the database for this process.
 * @throws LedgerStoreError when another process holds it
 */
export async function openLedgerStore(database: Database): Promise<LedgerStore> {
  const lock = new InstanceLock(database);
  await lock.hold();
  const client = new NodeClient(database);
  const chain = new ChainReader(database);
  const history = await StateHistoryStore.open(database, lock);
  const [nodeTable, otherTable] = NODE_TABLES;
  const nodes = new BatchedLookup(database, nodeTable, () => (history.isUsed ? otherTable : undefined));
  const codes = new BatchedLookup(database, PUBLIC_STATE.codes);
  const preimages = new BatchedLookup(database, PUBLIC_STATE.preimages);
  const appendBlocks: LedgerStore['appendBlocks'] = async (writes) => {
    await lock.hold();
    await database.transaction(async (statements) => {
      await writeBlocks(statements, writes, await followHead(statements, writes));
    });
  };

  return {
    findIdentity: () => findIdentity(database.pool),
    async initialise(identity, genesis) {
      await lock.hold();
      await database.transaction(async (statements) => {
        await writeBlocks(statements, [genesis], PUBLIC_STATE);
        await createChain(statements, identity, genesis.block.number);
      });
    },
    appendBlock: (write) => appendBlocks([write]),
    appendBlocks,
    findHead: () => chain.findHead(),
    findBlockByNumber: (number) => chain.findBlockByNumber(number),
    listBlocks: (from, to) => chain.listBlocks(from, to),
    findBlockByHash: (hash) => chain.findBlockByHash(hash),
    listTransactions: (blockNumber) => chain.listTransactions(blockNumber),
    findTransaction: (hash) => chain.findTransaction(hash),
    listBlockLogs: (blockNumber, part) => chain.listBlockLogs(blockNumber, part),
    listAt: (places) => listPlacedRows(client, places),
    findLogs: (query) => findLogs(database, query),
    findNode: (hash) => nodes.find(hash),
    findCode: (hash) => codes.find(hash),
    findPreimage: (hash) => preimages.find(hash),
    flatState: new FlatStateStore(database, lock),
    history,
    stateSync: new StateSyncStore(database, client, lock),
    journal: new PoolJournal(database, lock),
    consensusRecords: new ConsensusRecords(database, lock),
    validators: new ValidatorStore(database, client, lock),
    privateState: new PrivateStateStore(database, client, lock),
    agreement: new AgreementStore(database, client, lock),
    repairs: new RepairStore(client, lock),
    addressIndex: new AddressIndexStore(database, client, lock),
    async close() {
      await lock.release();
      await client.close();
    },
  };
}

/**
 * Moves the head to the last of the blocks.
 * @returns the tables of the state, as of this transaction: they change between blocks, maybe by another process
 * @throws LedgerStoreError when the first block does not follow the head
 */
async function followHead(statements: Statements, writes: readonly BlockWrite[]): Promise<StateTables> {
  const [first, last] = [writes[0], writes.at(-1)];
  if (first === undefined || last === undefined) throw new LedgerStoreError('no block to store');
  const { block, parentHash } = first;
  const chain = await moveHead(statements, { first: block.number, last: last.block.number, parentHash });
  if (chain === undefined) throw new LedgerStoreError(`block ${block.number} does not follow the head`);
  return publicState(chain.stateTable);
}
