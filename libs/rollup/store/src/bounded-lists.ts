import type { Database } from '@tetrad/db';
import { Gate, RequestError } from '@tetrad/types';
import { boundStatements } from './hot/bound-statements.js';
import type { RollupCalls, RollupClient } from './rollup-client.js';
import type { Statements } from './statements.js';

/**
 * Longest time of a statement of a list, and longest wait for its place, in ms. What matches little may be looked for in all
 * rows: this is long enough for millions of them, and well below the time limit of a call, after which its caller has gone.
 */
const LIST_MS = 10_000;

/** One connection of so many is for lists, at most: sealing, submission and the lease of the batcher have the others. */
const SHARE_OF_LISTS = 2;

/** SQLSTATE query_canceled. */
const CANCELED = '57014';

/** What a list reads with: calls of the client, or statements. */
type Reading<Source, Rows> = (source: Source) => Promise<Rows>;

/**
 * Reads lists, whose conditions callers choose: a page may look through any number of rows. Each statement has a bounded
 * time, by the server, and half of the connections at most are used at a time.
 */
export class BoundedLists {
  private readonly places: Gate;

  /** @param listMs - longest time of a statement */
  constructor(
    private readonly database: Pick<Database, 'pool' | 'transaction'>,
    private readonly client: Pick<RollupClient, 'transaction'>,
    private readonly listMs = LIST_MS,
  ) {
    const { max } = database.pool.options;
    this.places = new Gate(Math.max(1, Math.floor(max / SHARE_OF_LISTS)));
  }

  /**
   * Reads through the client.
   * @throws RequestError (REQUEST_TIMEOUT) when it takes too long; as the client
   */
  byCalls<Rows>(read: Reading<RollupCalls, Rows>): Promise<Rows> {
    return this.inTime(() =>
      this.client.transaction(async (calls, statements) => {
        await boundStatements(statements, this.listMs);
        return read(calls);
      }),
    );
  }

  /**
   * Reads by statements.
   * @throws as `byCalls`
   */
  byStatements<Rows>(read: Reading<Statements, Rows>): Promise<Rows> {
    return this.inTime(() =>
      this.database.transaction(async (statements) => {
        await boundStatements(statements, this.listMs);
        return read(statements);
      }),
    );
  }

  private async inTime<Rows>(work: () => Promise<Rows>): Promise<Rows> {
    // The words of a call that takes too long.
    const late = () => new RequestError('REQUEST_TIMEOUT', `request timed out after ${this.listMs} ms`);
    try {
      return await this.places.take(1, work, { waitMs: this.listMs, late });
    } catch (error) {
      throw isCanceled(error) ? late() : error;
    }
  }
}

/** What is read of an error of the driver, or of the client, which wraps that of the driver. */
interface DatabaseFailure {
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } } };
}

function isCanceled(error: unknown): boolean {
  const { code, meta } = (error ?? {}) as DatabaseFailure;
  return (meta?.driverAdapterError?.cause?.originalCode ?? code) === CANCELED;
}
