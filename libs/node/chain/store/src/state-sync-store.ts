import type { Database } from '@tetrad/db';
import { Turns, hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import type pg from 'pg';
import { writeState } from './append-block.js';
import type { StoredFlatEntry } from './flat-state-rows.js';
import { appendHeaders } from './hot/append-headers.js';
import { appendLogs } from './hot/append-logs.js';
import { appendTransactions } from './hot/append-transactions.js';
import {
  aimStateSync,
  commitLater,
  endStateSync,
  findNewestHeader,
  findStateSync,
  moveFill,
  moveStateSync,
} from './hot/state-sync.js';
import { removeSet } from './hot/write-validators.js';
import {
  clearFlatFrom,
  listStateSyncParts,
  mergeStateSyncParts,
  putStateSyncPart,
  removeStateSyncParts,
} from './hot/state-sync-parts.js';
import { putFlatRows, removeFlatState, startFlatState, writeFlatRows } from './hot/write-flat-state.js';
import type { InstanceLock } from './instance-lock.js';
import { removeJoining } from './joining-set-back.js';
import type { JoinedRows } from './joined-rows.js';
import type { BlockWrite, StoredBlock } from './ledger-rows.js';
import { LedgerStoreError } from './ledger-store-error.js';
import type { NodeClient } from './node-client.js';
import { PUBLIC_STATE } from './state-tables.js';

/** The first key of a trie of hashed keys. */
const FIRST_KEY = new Uint8Array(32);

/** How far the state of a block was taken from peers (docs/adr/0274). */
export interface StateSyncProgress {
  /** The block whose state is taken. */
  readonly targetBlock: number;
  /** All accounts whose hashed address is below this (32) are there; undefined when all are. */
  readonly cursor: Uint8Array | undefined;
  /** From which states what is there was taken, in key order: each up to the next one, or to the cursor. */
  readonly parts: readonly StatePart[];
  /** The block whose state was taken wholly; undefined before that. */
  readonly joinedBlock: number | undefined;
  /** Blocks from this on are here with all that is in them; undefined: those after the joined block. */
  readonly filledFrom: number | undefined;
}

/** Accounts and slots of one state. */
export interface StatePart {
  /** The hashed address of the first account (32); with a hashed slot (64) it begins at that slot of the account. */
  readonly from: Uint8Array;
  readonly root: Hash;
}

/** What makes accounts of one state those of another. */
export interface StateRepair extends StatePartWrite {
  /** The part that is repaired begins here. */
  readonly from: Uint8Array;
  /** What is repaired ends before; undefined where the part does. */
  readonly end: Uint8Array | undefined;
  /** The root of the part from the end on, so far. */
  readonly root: Hash;
  /** The root that accounts up to the end have then. */
  readonly repaired: Hash;
  /** Addresses under which all flat rows go. */
  readonly cleared: readonly Uint8Array[];
  /** Keys of flat rows that go. */
  readonly removed: readonly Uint8Array[];
}

/** A header without its block, and what is stored with it. */
export interface HeaderWrite {
  readonly block: StoredBlock;
  readonly joined: readonly JoinedRows[];
}

/** Parts of a state. */
export interface StatePartWrite extends Pick<BlockWrite, 'nodes' | 'codes' | 'preimages'> {
  readonly flat: readonly StoredFlatEntry[];
}

/** What is in consecutive blocks whose headers are stored. */
export interface PastWrite extends Pick<BlockWrite, 'transactions' | 'logs'> {
  /** The first of the blocks, and the one after the last. */
  readonly from: number;
  readonly before: number;
}

/** Headers and parts of a state of a node that does not execute the past. What is stored is stored with how far it is. */
export class StateSyncStore {
  /** Parts come from several peers at the same time, with rows in common, over which their transactions would wait for each other. */
  private readonly turns = new Turns();

  constructor(
    private readonly database: Database,
    private readonly client: NodeClient,
    private readonly lock: InstanceLock,
  ) {}

  /** Undefined where no state was ever taken. */
  async find(): Promise<StateSyncProgress | undefined> {
    const row = await findStateSync(this.database.pool);
    if (row === undefined) return undefined;
    const { targetBlock } = row;
    const cursor = row.cursor.length === 0 ? undefined : row.cursor;
    const parts = (await listStateSyncParts(this.database.pool)).map(({ fromKey, stateRoot }) => {
      return { from: fromKey, root: hashFromBytes(stateRoot) };
    });
    return {
      targetBlock,
      cursor,
      parts,
      joinedBlock: row.joinedBlock ?? undefined,
      filledFrom: row.filledFrom ?? undefined,
    };
  }

  /** Number of the newest stored header; undefined without any. */
  findNewestHeader(): Promise<number | undefined> {
    return findNewestHeader(this.database.pool);
  }

  /** Stores headers that follow the newest stored one. */
  async appendHeaders(headers: readonly HeaderWrite[]): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (statements) => {
      await appendHeaders(
        statements,
        headers.map(({ block }) => block),
      );
      for (const { block, joined } of headers)
        for (const rows of joined) await rows.write(statements, block.number);
    });
  }

  /** Stores other validators after a header than were stored with it. */
  async correctSet(blockNumber: number, joined: readonly JoinedRows[]): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (statements) => {
      await removeSet(statements, blockNumber);
      for (const rows of joined) await rows.write(statements, blockNumber);
    });
  }

  /**
   * Takes the state of the block from now on; what is there of another block's stays.
   * @param stateRoot - of the block
   * @throws LedgerStoreError when blocks were executed here
   */
  async aim(targetBlock: number, stateRoot: Hash): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (statements) => {
      const begun = await findStateSync(statements);
      if (!(await aimStateSync(statements, targetBlock)))
        throw new LedgerStoreError('a state can only be taken to a database without blocks');
      // Its rows are those of block 0; the rows of the state are added as they come.
      const root = hashToBytes(stateRoot);
      const isKnown = begun !== undefined && (await listStateSyncParts(statements)).length > 0;
      if (isKnown && begun.cursor.length > 0) {
        // Storage of accounts that were not stored themselves.
        await clearFlatFrom(statements, begun.cursor);
        await putStateSyncPart(statements, begun.cursor, root);
      }
      if (isKnown) return;
      // Also where an earlier version began, which did not store what is of which state.
      await removeFlatState(statements);
      await moveStateSync(statements, FIRST_KEY);
      await putStateSyncPart(statements, FIRST_KEY, root);
    });
  }

  /**
   * Stores parts of the state.
   * @param cursor - the accounts below it are there then; undefined when all are; absent when no more are
   */
  async put(part: StatePartWrite, ...cursor: readonly [] | readonly [Uint8Array | undefined]): Promise<void> {
    await this.lock.hold();
    await this.inTurn(async (statements) => {
      // `end` waits for the disk, before the chain goes on from the state.
      await commitLater(statements);
      await writeState(statements, PUBLIC_STATE, part);
      await putFlatRows(statements, part.flat);
      if (cursor.length === 1) await moveStateSync(statements, cursor[0] ?? new Uint8Array(0));
    });
  }

  /**
   * Makes accounts of one state those of another, together with what says so.
   * @throws as the database does
   */
  async repair(write: StateRepair): Promise<void> {
    await this.lock.hold();
    await this.inTurn(async (statements) => {
      await writeState(statements, PUBLIC_STATE, write);
      const { cleared, removed, flat } = write;
      await writeFlatRows(statements, { cleared, removed, put: flat });
      await putStateSyncPart(statements, write.from, hashToBytes(write.repaired));
      if (write.end !== undefined) await putStateSyncPart(statements, write.end, hashToBytes(write.root));
      await mergeStateSyncParts(statements);
    });
  }

  private inTurn(work: (statements: pg.ClientBase) => Promise<void>): Promise<void> {
    return this.turns.take(() => this.database.transaction(work));
  }

  /**
   * Ends taking the state: the block is the head.
   * @param stateRoot - of the block, that of the flat rows
   * @throws LedgerStoreError when it is not the block that is aimed at
   */
  async end(targetBlock: number, stateRoot: Hash): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (statements) => {
      if (!(await endStateSync(statements, targetBlock)))
        throw new LedgerStoreError(`the state of block ${targetBlock} was not being taken`);
      await removeStateSyncParts(statements);
      await startFlatState(statements, stateRoot);
    });
  }

  /**
   * Gives up the joining, so that the database is as a new one, in one transaction. The flat table is of no root then: the chain has to be
   * opened again.
   * @throws LedgerStoreError when a state was taken wholly, or blocks were executed here
   */
  async abandon(): Promise<void> {
    await this.lock.hold();
    await this.client.transaction((calls) => removeJoining(calls));
  }

  /**
   * Stores what is in the blocks before those that are here wholly.
   * @throws LedgerStoreError when other blocks are next
   */
  async fill({ from, before, transactions, logs }: PastWrite): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (statements) => {
      if (!(await moveFill(statements, from, before)))
        throw new LedgerStoreError(`the blocks before ${before} are not the next ones to fill in`);
      if (transactions.length > 0) await appendTransactions(statements, transactions);
      if (logs.length > 0) await appendLogs(statements, 'public', logs);
    });
  }
}
