import type pg from 'pg';
import type { Rows, RowsOf } from './rows.js';

/**
 * The rows of a service through its generated client, which is loaded with its first use: a process that needs none of these
 * rows while it runs has neither the client's memory nor its time.
 */
export class LateRows<Client> {
  private opened: Promise<Rows<Client>> | undefined;

  /** @param load - imports the client and opens it; tried again with the next use when it fails */
  constructor(private readonly load: () => Promise<Rows<Client>>) {}

  /** Calls outside of a transaction. */
  async calls(): Promise<Client> {
    return (await this.open()).client;
  }

  /** Runs the work in one transaction, as that of Rows. */
  async transaction<T>(work: (calls: RowsOf<Client>, statements: pg.PoolClient) => Promise<T>): Promise<T> {
    return (await this.open()).transaction(work);
  }

  /** Ends the client; the database stays open. */
  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.close();
  }

  private open(): Promise<Rows<Client>> {
    this.opened ??= this.load().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}
