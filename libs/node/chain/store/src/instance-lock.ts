import { DatabaseUnavailableError, type Database } from '@tetrad/db';
import { DatabaseError, type PoolClient } from 'pg';
import { releaseNodeLock, takeNodeLock } from './hot/node-lock.js';
import { LedgerStoreError } from './ledger-store-error.js';

/** How long the server may take to notice that a former holder has gone; a node that was killed is started again at once. */
const WAIT_MS = 3000;

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Reserves the database for this process.
 *
 * PostgreSQL keeps the lock as long as the connection that took it, so it never outlives a crash. A lost connection
 * releases the lock; `hold` then takes it again before the next write.
 */
export class InstanceLock {
  private connection: PoolClient | undefined;
  private taking: Promise<void> | undefined;
  private released = false;
  private hadIt = false;

  constructor(private readonly database: Database) {}

  /**
   * Makes sure that this process has the lock; without a statement when it has.
   * @throws LedgerStoreError when another node has it from the start; DatabaseUnavailableError when it was lost and
   *   another session holds it for now, which may be our own dead connection; the database's error when it is
   *   unavailable
   */
  hold(): Promise<void> {
    if (this.released) return Promise.reject(new LedgerStoreError('the store is closed'));
    if (this.connection !== undefined) return Promise.resolve();
    this.taking ??= this.take().finally(() => (this.taking = undefined));
    return this.taking;
  }

  /** Releases the lock; after it returns another node can take it. A broken connection releases it by ending. */
  async release(): Promise<void> {
    this.released = true;
    const { connection } = this;
    this.connection = undefined;
    if (connection === undefined) return;
    await releaseNodeLock(connection).catch(() => undefined);
    connection.release(true);
  }

  private async take(): Promise<void> {
    const connection = await this.database.pool.connect();
    const lose = () => {
      if (this.connection !== connection) return;
      this.connection = undefined;
      connection.release(true);
    };
    connection.on('error', lose).on('end', lose);
    try {
      await takeNodeLock(connection, WAIT_MS).catch((error: unknown) => {
        throw error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE ? this.rejection() : error;
      });
      if (this.released) throw new LedgerStoreError('the store is closed');
      this.connection = connection;
      this.hadIt = true;
    } catch (error) {
      connection.release(true);
      throw error;
    }
  }

  private rejection(): Error {
    const text = 'the database is in use by another node';
    return this.hadIt ? new DatabaseUnavailableError(text) : new LedgerStoreError(text);
  }
}
