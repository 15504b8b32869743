import pg from 'pg';

/** A pool, and how to end it. */
export interface OpenPool {
  readonly pool: pg.Pool;
  /** Resolves when the server has let go of every connection, and so of what it locked; after ten seconds at most. */
  end(): Promise<void>;
}

/** A server that does not answer any more is not waited for. */
const GONE_TIMEOUT_MS = 10_000;

/**
 * A pool of connections. The driver's own `end` resolves when it has asked the connections to end: whoever comes next
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
