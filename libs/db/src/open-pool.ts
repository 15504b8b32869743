import pg from 'pg';
import type { ServerAddress } from './database-url.js';

/** A pool, and its end. */
export interface OpenPool {
  readonly pool: pg.Pool;
  /** Its connections, idle or in use. */
  readonly open: ReadonlySet<pg.PoolClient>;
  /**
   * Ends the connections to other servers than this, also those that are waiting for an answer.
   * @returns how many
   */
  dropOthers(server: ServerAddress): number;
  /** Resolves when the server has closed every connection, and so released its locks; after ten seconds at most. */
  end(): Promise<void>;
}

/** Limit of the wait for a server that does not answer any more. */
const GONE_TIMEOUT_MS = 10_000;

/**
 * A pool of connections. The driver's own `end` resolves when it has asked the connections to end: the next user
 * could still find their locks taken and their database in use.
 */
export function openPool(config: pg.PoolConfig): OpenPool {
  const pool = new pg.Pool(config);
  const open = new Set<pg.PoolClient>();
  let whenNoneIsOpen = () => undefined as void;
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => {
    open.delete(client);
    if (open.size === 0) whenNoneIsOpen();
  });
  return {
    pool,
    open,
    dropOthers({ host, port }) {
      const others = [...open].filter((client) => client.host !== host || client.port !== port);
      for (const client of others)
        client.connection.stream.destroy(
          new Error('Connection terminated: another server is the primary now'),
        );
      return others.length;
    },
    async end() {
      await pool.end();
      if (open.size === 0) return;
      await new Promise<void>((done) => {
        const timer = setTimeout(done, GONE_TIMEOUT_MS);
        whenNoneIsOpen = () => {
          clearTimeout(timer);
          done();
        };
      });
    },
  };
}
