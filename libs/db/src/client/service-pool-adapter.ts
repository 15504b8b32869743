import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  isDriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQueryable,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { Database } from '../database.js';
import { asUnavailable, isDatabaseUnavailable } from '../database-unavailable.js';

/** The connection of the transaction that a call runs in. */
export interface TransactionConnection {
  client?: pg.PoolClient;
}

/**
 * Prisma's adapter over the pool of the service, so that client and statements share its connections, limits and watch. A lost
 * connection fails as it does for statements, with DatabaseUnavailableError; other errors stay the client's.
 */
export class ServicePoolAdapter implements SqlDriverAdapterFactory {
  readonly provider = 'postgres';
  readonly adapterName = 'tetrad-service-pool';
  private readonly current = new AsyncLocalStorage<TransactionConnection>();
  private readonly pool: pg.Pool;

  constructor({ pool }: Pick<Database, 'pool'>) {
    this.pool = this.remembering(pool);
  }

  /** Runs the work of one transaction; the client begins it in there, and its connection appears in the first argument. */
  within<T>(connection: TransactionConnection, work: () => Promise<T>): Promise<T> {
    return this.current.run(connection, work);
  }

  async connect(): Promise<SqlDriverAdapter> {
    const schema = await failingAsUnavailable(() => currentSchema(this.pool));
    const adapter = await new PrismaPg(this.pool, { disposeExternalPool: false, schema }).connect();
    const begin = (level?: IsolationLevel) => failingAsUnavailable(() => adapter.startTransaction(level));
    return {
      ...statementsOf(adapter),
      startTransaction: async (level) => transactionOf(await begin(level)),
      executeScript: (script) => adapter.executeScript(script),
      getConnectionInfo: () => adapter.getConnectionInfo(),
      dispose: () => adapter.dispose(),
    };
  }

  /** The pool, of which a transaction's connection is remembered when it is taken. */
  private remembering(pool: pg.Pool): pg.Pool {
    const { current } = this;
    const connect = async (): Promise<pg.PoolClient> => {
      const client = await pool.connect();
      const connection = current.getStore();
      if (connection !== undefined) connection.client = client;
      return client;
    };
    return Object.create(pool, {
      connect: { value: connect },
      query: { value: pool.query.bind(pool) },
    }) as pg.Pool;
  }
}

/** Where statements find tables; the client names the schema of each. */
async function currentSchema(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  return rows[0]?.schema ?? 'public';
}

function statementsOf(inner: SqlQueryable): SqlQueryable {
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    queryRaw: (query) => failingAsUnavailable(() => inner.queryRaw(query)),
    executeRaw: (query) => failingAsUnavailable(() => inner.executeRaw(query)),
  };
}

function transactionOf(inner: Transaction): Transaction {
  return {
    ...statementsOf(inner),
    options: inner.options,
    commit: () => inner.commit(),
    rollback: () => inner.rollback(),
  };
}

/** Kinds of the adapter's errors that mean a lost or refused connection (adapter-pg, `mapSocketError` and `mapDriverError`). */
const UNAVAILABLE_KINDS: readonly string[] = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
];

async function failingAsUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isLost(error) ? asUnavailable(reasonOf(error)) : error;
  }
}

function isLost(error: unknown): boolean {
  if (!isDriverAdapterError(error)) return isDatabaseUnavailable(error);
  const { kind, originalCode: code, originalMessage: message } = error.cause;
  return UNAVAILABLE_KINDS.includes(kind) || isDatabaseUnavailable({ code, message });
}

function reasonOf(error: unknown): unknown {
  if (!isDriverAdapterError(error)) return error;
  return { message: error.cause.originalMessage ?? error.message };
}
