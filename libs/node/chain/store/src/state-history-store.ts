import { keccak256 } from '@tetrad/crypto';
import { asBuffer, type Database } from '@tetrad/db';
import { OperatorError, hashFromBytes, type Hash } from '@tetrad/types';
import { DatabaseError } from 'pg';
import { gatherNodes } from './hot/gather-nodes.js';
import { findEmptyingRight, measureStates, type StateTableSizes } from './hot/measure-states.js';
import { hasStateHistory } from './hot/read-at-start.js';
import {
  beginEpoch,
  emptyTable,
  endEpoch,
  findHistory,
  findNodeTables,
  limitLockWait,
  lockChain,
  moveCursor,
  switchStateTable,
  type ReadHistory,
} from './hot/state-history.js';
import type { InstanceLock } from './instance-lock.js';
import { LedgerStoreError } from './ledger-store-error.js';
import type { HashedTable } from './state-tables.js';
import type { Statements } from './statements.js';

/** Which states are kept, and how far the newest epoch is (docs/adr/0174). */
export interface StateHistory {
  /** The states of this block and of all later ones are complete. */
  readonly oldestBlock: number;
  /** Undefined between two epochs. */
  readonly epoch: StateEpoch | undefined;
  /** Size in bytes of the nodes that were gathered in this epoch, or the last one. */
  readonly gatheredBytes: number;
}

export interface StateEpoch {
  readonly block: number;
  readonly stateRoot: Hash;
  /** Whether all of the block's state is in the table for new nodes. */
  readonly isGathered: boolean;
  /** Where gathering continues; its form is that of the caller. */
  readonly cursor: Uint8Array;
}

/** What holds older states back. */
export interface RetirementTerms {
  /** States of so many blocks before the head are kept. */
  readonly blocks: number;
  /** Whether private state follows the chain: it executes public transactions again from its head on. */
  readonly hasPrivateState: boolean;
}

/** A row without its content: header, item pointer and hash. */
const ROW_BYTES = 64;
/** How long emptying a table waits for its readers, while new readers wait behind it. Units: ms */
const LOCK_WAIT_MS = 100;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Two tables of trie nodes: new nodes go to the current one, and the other one is emptied once the current one has all
 * of the oldest state that is kept.
 */
export class StateHistoryStore {
  private constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
    private used: boolean,
  ) {}

  static async open(database: Database, lock: InstanceLock): Promise<StateHistoryStore> {
    return new StateHistoryStore(database, lock, await hasStateHistory(database.pool));
  }

  /** Whether nodes may be in both tables. */
  get isUsed(): boolean {
    return this.used;
  }

  /** Undefined where the history was never bounded. */
  async find(): Promise<StateHistory | undefined> {
    const row = await findHistory(this.database.pool);
    return row && toHistory(row);
  }

  /** @throws OperatorError when the role of the connection may not empty the tables */
  async assertMayEmpty(): Promise<void> {
    const { tables, role, may } = await findEmptyingRight(this.database.pool);
    if (may) return;
    throw new OperatorError(
      `--state-history: the database role ${role} may not empty tables ${tables.join(' and ')}; ` +
        `their owner allows it with "GRANT TRUNCATE ON ${tables.join(', ')} TO ${role}"`,
    );
  }

  /** Begins an epoch at the stored head: nodes of later blocks go to the other table, which is empty. */
  async begin(): Promise<void> {
    await this.lock.hold();
    // Before the first node can be in the second table.
    this.used = true;
    await this.database.transaction(async (statements) => {
      // A block that is being stored is waited for; the next one finds the new table.
      const chain = await lockChain(statements);
      if (chain === undefined) throw new LedgerStoreError('the database holds no chain');
      if (!(await beginEpoch(statements, chain.headNumber)))
        throw new LedgerStoreError('an epoch of the states has begun already');
      await switchStateTable(statements, chain.stateTable === 1 ? 0 : 1);
    });
  }

  /**
   * Copies nodes to the table for new ones, and stores how far that is, in one transaction.
   * @param next - the place after these nodes, from their content in the order of the hashes; undefined behind the last
   * @throws LedgerStoreError when a node is missing or damaged; nothing is stored then
   */
  async gather(
    hashes: readonly Uint8Array[],
    next: (nodes: readonly Uint8Array[]) => Uint8Array | undefined,
  ): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (statements) => {
      const nodes = await copyNodes(statements, await findNodeTables(statements), hashes);
      const bytes = nodes.reduce((sum, { length }) => sum + length + ROW_BYTES, 0);
      await moveCursor(statements, next(nodes), bytes);
    });
  }

  /**
   * Ends the epoch when all of its state is gathered and nothing older must be kept: the other table is emptied.
   * @returns whether it has ended; not while a reader holds the table for long, such as a backup
   */
  async retire({ blocks, hasPrivateState }: RetirementTerms): Promise<boolean> {
    await this.lock.hold();
    try {
      return await this.database.transaction(async (statements) => {
        await limitLockWait(statements, LOCK_WAIT_MS);
        if (!(await endEpoch(statements, blocks, hasPrivateState))) return false;
        const [other] = await findNodeTables(statements);
        await emptyTable(statements, other);
        return true;
      });
    } catch (error) {
      if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }

  async sizes(): Promise<StateTableSizes> {
    const { pool } = this.database;
    return measureStates(pool, await findNodeTables(pool));
  }
}

/** @returns the content of the nodes, in the order of the hashes */
async function copyNodes(
  statements: Statements,
  tables: readonly [HashedTable, HashedTable],
  hashes: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const rows = await gatherNodes(statements, tables, hashes);
  const found = new Map(rows.map(({ hash, encoded }) => [hash.toString('hex'), encoded]));
  return hashes.map((hash) => {
    const node = found.get(asBuffer(hash).toString('hex'));
    if (node !== undefined && Buffer.compare(keccak256(node), hash) === 0) return node;
    throw new LedgerStoreError(
      `trie node ${hashFromBytes(hash)} is ${node === undefined ? 'missing' : 'damaged'}`,
    );
  });
}

function toHistory({ oldestBlock, gatheredBytes, epochBlock, stateRoot, ...row }: ReadHistory): StateHistory {
  if (epochBlock === null) return { oldestBlock, gatheredBytes, epoch: undefined };
  if (stateRoot === null)
    throw new LedgerStoreError(`block ${epochBlock}, whose state is gathered, is not stored`);
  const { isGathered, cursor } = row;
  return {
    oldestBlock,
    gatheredBytes,
    epoch: { block: epochBlock, stateRoot: hashFromBytes(stateRoot), isGathered, cursor },
  };
}
