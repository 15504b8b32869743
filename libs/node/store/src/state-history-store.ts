import { keccak256 } from '@tetrad/crypto';
import { byteaArray, asBuffer, type Database } from '@tetrad/db';
import { OperatorError, hashFromBytes, type Hash } from '@tetrad/types';
import { DatabaseError, type ClientBase } from 'pg';
import { NODE_TABLES, type HashedTable } from './batched-lookup.js';
import type { InstanceLock } from './instance-lock.js';
import { LedgerStoreError } from './ledger-store-error.js';

/** Which states are kept, and how far the newest epoch is (docs/adr/0174). */
export interface StateHistoryRow {
  /** The states of this block and of all later ones are complete. */
  readonly oldestBlock: number;
  /** Undefined between two epochs. */
  readonly epoch: StateEpoch | undefined;
  /** Of the nodes that were gathered in this epoch, or the last one. */
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

/** Bytes of the two tables with their indexes. */
export interface StateTableSizes {
  /** The table for new nodes. */
  readonly current: number;
  /** Its rows alone. */
  readonly currentRows: number;
  /** The table that is emptied next. */
  readonly other: number;
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

interface HistoryColumns {
  readonly oldest_block: number;
  readonly epoch_block: number | null;
  readonly is_gathered: boolean;
  readonly cursor: Buffer;
  readonly gathered_bytes: number;
  readonly state_root: Buffer | null;
}

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
    const { rowCount } = await database.pool.query('SELECT FROM state_history');
    return new StateHistoryStore(database, lock, rowCount === 1);
  }

  /** Whether nodes may be in both tables. */
  get isUsed(): boolean {
    return this.used;
  }

  /** Undefined where the history was never bounded. */
  async find(): Promise<StateHistoryRow | undefined> {
    const { rows } = await this.database.pool.query<HistoryColumns>(
      `SELECT history.*, block.state_root FROM state_history history
         LEFT JOIN block ON block.number = history.epoch_block`,
    );
    return rows[0] && toHistory(rows[0]);
  }

  /** Fails: OperatorError when the role of the connection may not empty the tables */
  async assertMayEmpty(): Promise<void> {
    const tables = NODE_TABLES.map(({ name }) => name);
    const { rows } = await this.database.pool.query<{ role: string; may: boolean }>(
      `SELECT current_user AS role, bool_and(has_table_privilege(name, 'TRUNCATE')) AS may
         FROM unnest($1::text[]) AS emptied (name)`,
      [tables],
    );
    const [role] = rows;
    if (role?.may === true) return;
    throw new OperatorError(
      `--state-history: the database role ${role?.role} may not empty tables ${tables.join(' and ')}; ` +
        `their owner allows it with "GRANT TRUNCATE ON ${tables.join(', ')} TO ${role?.role}"`,
    );
  }

  /** Begins an epoch at the stored head: nodes of later blocks go to the other table, which is empty. */
  async begin(): Promise<void> {
    await this.lock.hold();
    // Before the first node can be in the second table.
    this.used = true;
    await this.database.transaction(async (client) => {
      // A block that is being stored is waited for; the next one finds the new table.
      const { rows } = await client.query<{ head_number: number; state_table: number | null }>(
        'SELECT head_number, state_table FROM chain WHERE id = 1 FOR UPDATE',
      );
      const [chain] = rows;
      if (chain === undefined) throw new LedgerStoreError('the database holds no chain');
      const begun = await client.query(
        `INSERT INTO state_history AS history (id, oldest_block, epoch_block, is_gathered, cursor, gathered_bytes)
         VALUES (1, 0, $1, false, '', 0)
         ON CONFLICT (id) DO UPDATE SET epoch_block = $1, is_gathered = false, cursor = '', gathered_bytes = 0
          WHERE history.epoch_block IS NULL`,
        [chain.head_number],
      );
      if (begun.rowCount !== 1) throw new LedgerStoreError('an epoch of the states has begun already');
      await client.query('UPDATE chain SET state_table = $1', [chain.state_table === 1 ? 0 : 1]);
    });
  }

  /**
   * Copies nodes to the table for new ones, and stores how far that is, in one transaction.
   *
   * In:    next — the place after these nodes, from their content in the order of the hashes; undefined behind the last
   * Fails: LedgerStoreError when a node is missing or damaged; nothing is stored then
   */
  async gather(
    hashes: readonly Uint8Array[],
    next: (nodes: readonly Uint8Array[]) => Uint8Array | undefined,
  ): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (client) => {
      const [from, to] = await findTables(client);
      const nodes = await copyNodes(client, { from, to, hashes });
      const cursor = next(nodes);
      const bytes = nodes.reduce((sum, { length }) => sum + length + ROW_BYTES, 0);
      await client.query(
        `UPDATE state_history SET is_gathered = $1, cursor = $2, gathered_bytes = gathered_bytes + $3
          WHERE id = 1 AND epoch_block IS NOT NULL`,
        [cursor === undefined, asBuffer(cursor ?? new Uint8Array(0)), bytes],
      );
    });
  }

  /**
   * Ends the epoch when all of its state is gathered and nothing older must be kept: the other table is emptied.
   *
   * Out: whether it has ended; not while a reader holds the table for long, such as a backup
   */
  async retire({ blocks, hasPrivateState }: RetirementTerms): Promise<boolean> {
    await this.lock.hold();
    try {
      return await this.database.transaction(async (client) => {
        await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
        const ended = await client.query(
          `UPDATE state_history SET oldest_block = epoch_block, epoch_block = NULL
            WHERE id = 1 AND is_gathered
              AND epoch_block <= (SELECT head_number FROM chain WHERE id = 1) - $1
              AND epoch_block <= coalesce((SELECT number FROM private_head),
                                          CASE WHEN $2 THEN -1 ELSE epoch_block END)`,
          [blocks, hasPrivateState],
        );
        if (ended.rowCount !== 1) return false;
        const [other] = await findTables(client);
        await client.query(`TRUNCATE ${other.name}`);
        return true;
      });
    } catch (error) {
      if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }

  async sizes(): Promise<StateTableSizes> {
    const [other, current] = await findTables(this.database.pool);
    const { rows } = await this.database.pool.query<StateTableSizes>(
      `SELECT pg_total_relation_size('${current.name}') AS current, pg_total_relation_size('${other.name}') AS other,
              pg_relation_size('${current.name}') AS "currentRows"`,
    );
    return rows[0] as StateTableSizes;
  }
}

/** The table of older nodes, and that of new ones. */
async function findTables(client: Pick<ClientBase, 'query'>): Promise<[HashedTable, HashedTable]> {
  const { rows } = await client.query<{ state_table: number | null }>('SELECT state_table FROM chain');
  const [first, second] = NODE_TABLES;
  return rows[0]?.state_table === 1 ? [first, second] : [second, first];
}

/** Out: the content of the nodes, in the order of the hashes */
async function copyNodes(
  client: ClientBase,
  { from, to, hashes }: { from: HashedTable; to: HashedTable; hashes: readonly Uint8Array[] },
): Promise<Uint8Array[]> {
  // Nodes of blocks since the beginning of the epoch are there already, and not always in the older table.
  const { rows } = await client.query<{ hash: Buffer; encoded: Buffer }>({
    name: `gather-${to.name}`,
    text: `WITH found AS (SELECT hash, encoded FROM ${from.name} WHERE hash = ANY($1::bytea[])
                          UNION SELECT hash, encoded FROM ${to.name} WHERE hash = ANY($1::bytea[])),
                copied AS (INSERT INTO ${to.name} SELECT hash, encoded FROM found ON CONFLICT (hash) DO NOTHING)
           SELECT hash, encoded FROM found`,
    values: [byteaArray(hashes)],
  });
  const found = new Map(rows.map(({ hash, encoded }) => [hash.toString('hex'), encoded]));
  return hashes.map((hash) => {
    const node = found.get(asBuffer(hash).toString('hex'));
    if (node !== undefined && Buffer.compare(keccak256(node), hash) === 0) return node;
    throw new LedgerStoreError(
      `trie node ${hashFromBytes(hash)} is ${node === undefined ? 'missing' : 'damaged'}`,
    );
  });
}

function toHistory(row: HistoryColumns): StateHistoryRow {
  const { oldest_block: oldestBlock, gathered_bytes: gatheredBytes } = row;
  const { epoch_block: block, state_root: root, is_gathered: isGathered, cursor } = row;
  if (block === null) return { oldestBlock, gatheredBytes, epoch: undefined };
  if (root === null) throw new LedgerStoreError(`block ${block}, whose state is gathered, is not stored`);
  return { oldestBlock, gatheredBytes, epoch: { block, stateRoot: hashFromBytes(root), isGathered, cursor } };
}
