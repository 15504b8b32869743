import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { Database } from '../database.js';
import { failingAsStatements } from './client-errors.js';
import { ServicePoolAdapter, type TransactionConnection } from './service-pool-adapter.js';

interface TransactionLimits {
  /** Longest wait for a connection, and longest time of the transaction. Milliseconds */
  readonly maxWait: number;
  readonly timeout: number;
}

/** What a client that Prisma generated has in common with the others. */
export interface GeneratedClient {
  $transaction<T>(
    work: (client: Omit<this, ClientOnly>) => Promise<T>,
    limits: TransactionLimits,
  ): Promise<T>;
  $disconnect(): Promise<void>;
}

/** What the client of a transaction lacks. */
type ClientOnly = '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends';

/** The calls of a generated client: on their own, or in a transaction. */
export type RowsOf<Client> = Omit<Client, ClientOnly>;

/** The rows of a service through its generated client. */
export interface Rows<Client> {
  /** Calls outside of a transaction. */
  readonly client: Client;
  /**
   * Runs the work in one transaction, which can hold calls of the client and statements: all of it is stored, or nothing.
   *
   * @param work - with the client of the transaction, and its connection for statements
   * @throws what the work throws, with nothing stored; DatabaseUnavailableError when the connection is lost
   */
  transaction<T>(work: (client: RowsOf<Client>, statements: pg.PoolClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A pool may wait for a server for half a minute; a change of all keys of a wallet takes seconds. */
const LIMITS: TransactionLimits = { maxWait: 30_000, timeout: 600_000 };

/** What a generated client is made with: its errors name no lines of our sources. */
export interface ClientOptions {
  readonly adapter: SqlDriverAdapterFactory;
  readonly errorFormat: 'minimal';
}

/**
 * Opens the rows of a service over its database.
 *
 * @param database - whose pool the client uses; it stays open when the rows are closed
 * @param create - makes the generated client
 */
export function openRows<Client extends GeneratedClient>(
  database: Pick<Database, 'pool'>,
  create: (options: ClientOptions) => Client,
): Rows<Client> {
  const adapter = new ServicePoolAdapter(database);
  const client = failingAsStatements(create({ adapter, errorFormat: 'minimal' }));
  return {
    client,
    transaction(work) {
      const connection: TransactionConnection = {};
      return adapter.within(connection, () =>
        client.$transaction((own) => work(own, connectionOf(connection)), LIMITS),
      );
    },
    close: () => client.$disconnect(),
  };
}

function connectionOf({ client }: TransactionConnection): pg.PoolClient {
  if (client === undefined) throw new Error('the transaction has begun without a connection');
  return client;
}
