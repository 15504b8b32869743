import { CommitGroup, type Database } from '@tetrad/db';
import type { Hash } from '@tetrad/types';
import { journalPool, loadPool } from './hot/journal-pool.js';
import type { InstanceLock } from './instance-lock.js';
import type { PooledTransaction, StoredPooledTransaction } from './ledger-rows.js';

/** One change of the journal: an added row, and the rows that it removes. */
interface Change {
  readonly row?: PooledTransaction;
  readonly gone: readonly Hash[];
}

/** Bounds of one INSERT, in rows and bytes of transactions; further rows wait for the next. */
const MAX_GROUP_ROWS = 2_000;
const MAX_GROUP_BYTES = 4 * 1024 * 1024;

/** Above every sequence that PostgreSQL assigns. */
const MAX_SEQUENCE = 2n ** 63n - 1n;

/**
 * Journal rows, with which accepted transactions survive a crash; concurrent ones are committed together.
 *
 * Removals and additions share one queue, so that the removal of a transaction never deletes its row after it is
 * accepted again.
 */
export class PoolJournal {
  private readonly changes: CommitGroup<Change, void>;

  constructor(
    private readonly database: Database,
    lock: InstanceLock,
  ) {
    this.changes = new CommitGroup<Change, void>(
      async (group) => {
        await lock.hold();
        await this.write(group);
        return group.map(() => undefined);
      },
      {
        group: MAX_GROUP_ROWS,
        // The pool bounds the number of waiting rows.
        waiting: Number.POSITIVE_INFINITY,
        bytes: { of: ({ row }) => row?.raw.length ?? 0, group: MAX_GROUP_BYTES },
      },
    );
  }

  /**
   * Resolves when the row is durable and the replaced ones are deleted, atomically.
   * @throws the database's error; the row may still be stored when the connection broke during the commit
   */
  append(row: PooledTransaction, gone: readonly Hash[] = []): Promise<void> {
    return this.changes.add({ row, gone });
  }

  async remove(gone: readonly Hash[]): Promise<void> {
    if (gone.length > 0) await this.changes.add({ gone });
  }

  /**
   * Rows in the order of acceptance.
   * @param options.after - a sequence, to go on from
   * @param options.limit - of rows
   */
  load({ after = -1n, limit = MAX_SEQUENCE }: { after?: bigint; limit?: bigint } = {}): Promise<
    StoredPooledTransaction[]
  > {
    return loadPool(this.database.pool, { after, limit });
  }

  /** One statement is one commit, with the effect of its changes one after the other. */
  private write(group: readonly Change[]): Promise<void> {
    return journalPool(this.database.pool, netChange(group));
  }
}

/**
 * The net effect of consecutive changes. A row that is added and removed is not written; one that is removed and added
 * again stays, because the statement sees the rows from before it.
 */
function netChange(group: readonly Change[]): { rows: PooledTransaction[]; gone: Hash[] } {
  const rows = new Map<Hash, PooledTransaction>();
  const gone = new Set<Hash>();
  for (const change of group) {
    for (const hash of change.gone) {
      rows.delete(hash);
      gone.add(hash);
    }
    if (change.row === undefined) continue;
    rows.set(change.row.hash, change.row);
    gone.delete(change.row.hash);
  }
  return { rows: [...rows.values()], gone: [...gone] };
}
