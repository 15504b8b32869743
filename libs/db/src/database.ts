import { systemClock, type Clock, type Logger } from '@tetrad/types';
import pg from 'pg';
import { DatabaseUnavailableError, NoPrimaryError, asUnavailable, reasonOf } from './database-unavailable.js';
import { DatabaseUrl, formatAddress } from './database-url.js';
import { openPool } from './open-pool.js';
import { connectorTo } from './server-client.js';
import { OWN_SESSION } from './server-session.js';
import { SilentConnections } from './silent-connections.js';
import { WriteRefusals } from './write-refusals.js';

export interface DatabaseOptions {
  readonly url: string;
  /** Maximum number of connections at a time. */
  readonly poolSize?: number;
  /** Settings of the server for these connections, by name. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
  /** Measures how long connections are silent. */
  readonly clock?: Pick<Clock, 'now'>;
}

/** One PostgreSQL database and its pool of connections. */
export interface Database {
  readonly pool: pg.Pool;
  /** Runs the work in one transaction: all of it is stored, or nothing. Fails as the work does. */
  transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /**
   * With several servers, asks which is the primary now, and ends connections to others.
   * @throws DatabaseUnavailableError when none is
   */
  recheckPrimary(): Promise<void>;
  /**
   * Ends connections that owe an answer which the server is not working at; to be called every few seconds.
   * Never rejects.
   */
  recheckConnections(): Promise<void>;
  /** Why the database refuses writes although it answers, for lack of space for example; undefined while it takes them. */
  writeRefusal(): string | undefined;
  /**
   * After a refusal, asks whether it takes writes again.
   * @throws as the database, when it does not answer
   */
  recheckWrites(): Promise<void>;
  /** Resolves when the server has closed every connection, and so released their locks. */
  close(): Promise<void>;
}

/**
 * For a connection, and for a free one of the pool. A busy host stalls for longer than a network: with fifty
 * processes on two cores, ten seconds were seen in which the answer had arrived and was not read.
 */
const CONNECT_TIMEOUT_MS = 30_000;

// int8 columns hold our counts and positions, all below 2^53; larger numbers are stored as numeric or bytes.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * Prisma's client writes times without their offset, and drops the offset of what it reads: whatever the time zone of the
 * database, both are right in this one alone.
 */
const UNIVERSAL_TIME = { TimeZone: 'UTC' };

/**
 * Connects and proves it with a query.
 * @throws DatabaseUnavailableError, with the host but not the password; OperatorError that names the part of a bad URL
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const url = DatabaseUrl.parse(options.url);
  const { selection, config, Client } = connectorTo(url);
  const sessions = new WeakMap<pg.ClientBase, string>();
  const { pool, open, dropOthers, end } = openPool({
    ...config,
    Client,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types,
    verify: applyFirst({ ...UNIVERSAL_TIME, ...options.settings }, sessions),
  });
  const { clock = systemClock, logger } = options;
  const silent = new SilentConnections({
    open,
    sessions,
    openBeside: () => new Client({ ...config, connectionTimeoutMillis: selection.timeoutMs }).connect(),
    clock,
    logger,
  });
  selection.onMoved = (server, former) => {
    const dropped = dropOthers(server);
    const places = { primary: formatAddress(server), former: formatAddress(former) };
    logger?.warn('database primary has changed', { ...places, dropped });
  };
  const writes = new WriteRefusals(pool, logger);
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => logger?.warn('database connection lost', { error: error.message }));
  try {
    await whileStarting(() => pool.query('SELECT 1'));
  } catch (error) {
    await end();
    throw new DatabaseUnavailableError(`database at ${url.toString()}: ${reasonOf(error)}`);
  }
  return {
    pool,
    transaction: (work) => inTransaction(pool, work),
    recheckPrimary: () => selection.recheck(),
    recheckConnections: () => silent.recheck(),
    writeRefusal: () => writes.reason,
    recheckWrites: () => writes.recheck(),
    close: end,
  };
}

/**
 * Applies the settings to every new connection before it is used, and notes the name of its session. Not as `options` of
 * the connection, which poolers such as PgBouncer refuse.
 */
function applyFirst(
  settings: Readonly<Record<string, string>>,
  sessions: WeakMap<pg.ClientBase, string>,
): NonNullable<pg.PoolConfig['verify']> {
  const statement = {
    text: `SELECT set_config(name, value, false), ${OWN_SESSION} AS session
             FROM unnest($1::text[], $2::text[]) AS setting (name, value)`,
    values: [Object.keys(settings), Object.values(settings)],
    // The time-out of the pool ends once the server has accepted the connection.
    query_timeout: CONNECT_TIMEOUT_MS,
  };
  return (client, done) =>
    void client.query<{ session: string }>(statement).then(({ rows: [row] }) => {
      if (row !== undefined) sessions.set(client, row.session);
      done();
    }, done);
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asUnavailable(error);
  });
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => undefined,
      (rollbackError: Error) => rollbackError,
    );
    throw broken === undefined ? error : asUnavailable(error);
  } finally {
    client.release(broken);
  }
}

/** How long a server may end connections after it took them. */
const STARTING_MS = 15_000;
const STARTING_POLL_MS = 100;

/** SQLSTATE cannot_connect_now and its neighbours, and a standby that may be promoted; a server that recovers from a crash also just ends connections. */
function isStarting(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (error instanceof NoPrimaryError) return true;
  return code === '57P03' || code === '57P02' || code === 'ECONNRESET' || message === TERMINATED;
}

const TERMINATED = 'Connection terminated unexpectedly';

/**
 * Retries the work while the server is starting up or recovering, for a bounded time. A server that does not listen is not
 * waited for: it may be the wrong address.
 */
async function whileStarting<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + STARTING_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isStarting(error) || Date.now() > deadline) throw error;
      await new Promise((tick) => setTimeout(tick, STARTING_POLL_MS));
    }
  }
}

/** Does the work on a connection of its own; again while the server is starting up. */
export function onConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { Client } = connectorTo(DatabaseUrl.parse(url));
  return whileStarting(async () => {
    const client = new Client();
    try {
      await client.connect();
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

const SELECT_DATABASE = 'SELECT 1 FROM pg_database WHERE datname = $1';

/** Whether the server of the URL has a database of that name. */
export function hasDatabase(url: string, name: string): Promise<boolean> {
  return onConnection(url, async (client) => (await client.query(SELECT_DATABASE, [name])).rowCount === 1);
}

/**
 * Makes a database on the server of the URL unless it is there; the result is its URL. A template is copied as files,
 * which takes a third of the time that it takes to log each of its pages; the template must have no connections.
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  await onConnection(url, async (client) => {
    if ((await client.query(SELECT_DATABASE, [name])).rowCount === 1) return;
    const from =
      template === undefined ? '' : ` TEMPLATE ${client.escapeIdentifier(template)} STRATEGY file_copy`;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}${from}`);
  });
  return withDatabaseName(url, name);
}

/** Drops a database of the server of the URL, and ends its connections. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await onConnection(url, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`),
  );
}

/** The same URL with another database name. */
export function withDatabaseName(url: string, name: string): string {
  return DatabaseUrl.parse(url).withDatabase(name).href;
}
