import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Held by the process that uses the cluster, on a connection of its own; released when the process ends. */
const OWNER_LOCK = 7_370_104;

const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 100;
/** How long a running server may take to answer; one that does not run refuses at once. */
const ANSWER_TIMEOUT_MS = 15_000;
/** How long a killed owner may still seem alive: the server has to notice that its connection is gone. */
const OWNER_GRACE_MS = 5_000;

/**
 * Returns when no server runs on the cluster: one that is shutting down is waited for, one that a killed process
 * left behind is stopped, and the pid file of one that died is removed.
 * @throws EmbeddedPostgresError when another process uses the cluster
 */
export async function clearLeftover(cluster: string, urlAt: (port: number) => string): Promise<void> {
  const started = Date.now();
  let signalled = false;
  for (;;) {
    const server = await readPostmasterFile(cluster);
    if (server === undefined) return;
    if (!(await isPostgres(server.pid))) {
      await rm(join(cluster, 'postmaster.pid'), { force: true });
      return;
    }
    const waitedMs = Date.now() - started;
    if (waitedMs > PATIENCE_MS) {
      throw new EmbeddedPostgresError(
        `a server (process ${server.pid}) holds ${cluster} and does not answer`,
      );
    }
    const owner = signalled ? 'unknown' : await findOwner(urlAt(server.port));
    if (owner === 'present' && waitedMs > OWNER_GRACE_MS) {
      throw new EmbeddedPostgresError(`${cluster} is in use by another process`);
    }
    if (owner === 'none') {
      signalServer(server.pid, 'SIGINT');
      signalled = true;
    }
    await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
  }
}

/** Nothing happens when it has ended in the meantime. */
export function signalServer(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Retries the start of a server while processes of a former one live on the cluster: when the first of them was
 * killed, the others end after their current work, for which PostgreSQL waits to protect the data.
 * @throws as the start does; EmbeddedPostgresError when they do not end
 */
export async function startAfterFormer<Server>(
  cluster: string,
  start: () => Promise<Server>,
): Promise<Server> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isFormerThere =
        error instanceof EmbeddedPostgresError && /pre-existing shared memory block/.test(error.message);
      if (!isFormerThere) throw error;
      if (Date.now() > deadline) {
        throw new EmbeddedPostgresError(`processes of a server that was killed still use ${cluster}`);
      }
      await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
    }
  }
}

/**
 * Takes the owner's lock; the result releases it. A server that answered a moment ago may still end a connection while
 * it recovers from the crash of one of its processes; then the lock is retried for a while.
 */
export async function takeOwnership(url: string): Promise<() => Promise<void>> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, keepAlive: true });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT pg_advisory_lock($1)', [OWNER_LOCK]);
      return releaseOf(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      if (Date.now() > deadline)
        throw new EmbeddedPostgresError(`does not keep a connection: ${(error as Error).message}`);
      await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
    }
  }
}

function releaseOf(client: pg.Client): () => Promise<void> {
  // In the client, but not in its types: the lock alone must not keep the process alive.
  const socket = client as unknown as { ref(): void; unref(): void };
  socket.unref();
  return async () => {
    socket.ref();
    await client.end().catch(() => undefined);
  };
}

/** Pid and port of the server, from its first and fourth line: pid, data folder, start time, port, … */
export async function readPostmasterFile(
  cluster: string,
): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, port: Number(lines[3] ?? 0) } : undefined;
}

/**
 * Whether the process is alive and a PostgreSQL. In containers a new process often gets an old one's id, and a dead
 * one may stay a zombie until its parent reaps it.
 */
async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (!existsSync('/proc/self/status')) return true;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^Name:\s+postgres$/m.test(status) && !/^State:\s+Z/m.test(status);
}

/**
 * Whether the owner's lock is held; unknown while the server starts up or shuts down. The check takes the lock shared, so
 * that two concurrent checks do not take each other for the owner.
 */
export async function findOwner(url: string): Promise<'present' | 'none' | 'unknown'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock_shared($1) AS free', [
      OWNER_LOCK,
    ]);
    return rows[0]?.free === true ? 'none' : 'present';
  } catch {
    return 'unknown';
  } finally {
    await client.end().catch(() => undefined);
  }
}
