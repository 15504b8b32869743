import { readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FolderInUseError, makeFolder, onFile, takeFolderLock, type FolderLock } from '@tetrad/files';
import {
  KeptServer,
  freeLoopbackPort,
  isLoopbackPortFree,
  startGuarded,
  type GuardedProcess,
  type KeptServerEvents,
} from '@tetrad/server-process';
import pg from 'pg';
import { findAccount, type Account } from './account.js';
import { findBinaries } from './binaries.js';
import { DATABASE_USER, clusterFolder, initialiseCluster, type ClusterFolder } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import {
  clearLeftover,
  readPostmasterFile,
  signalServer,
  startAfterFormer,
  takeOwnership,
} from './leftover-server.js';

/** Listeners for a server that ended without being stopped. */
export interface ServerEvents extends Pick<KeptServerEvents, 'onDown' | 'onUp'> {
  /** It does not come back, or ends again and again; nothing more is tried. */
  readonly onLost?: ((error: EmbeddedPostgresError) => void) | undefined;
}

export interface EmbeddedPostgresOptions extends ServerEvents {
  /** Folder for the cluster, its password and its log; created when absent, resumed otherwise. */
  readonly dataDir: string;
  /** Loopback port; without it that of the last start, or a free one. */
  readonly port?: number;
  /** Further `name=value` settings of the server. */
  readonly settings?: readonly string[];
  /** Whether it is started again when it ends unexpectedly, which is the default. */
  readonly isKeptUp?: boolean;
}

export interface EmbeddedPostgres {
  readonly port: number;
  /** Connection URL of a database of the cluster, credentials included. */
  url(databaseName: string): string;
  /** Fast shutdown; resolves when the server is gone. */
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 10_000;
/** How long a process that is about to end may still hold the folder. */
const HOLDER_GRACE_MS = 5_000;
const LOOK_AGAIN_MS = 30;
const PORT_ATTEMPTS = 5;

/** Durability is not traded for speed: fsync, synchronous_commit and full_page_writes keep their defaults (on). */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=256MB',
  // Large writes per block: fewer checkpoints, and each page written whole once between two of them.
  'max_wal_size=4GB',
  'checkpoint_timeout=15min',
  'wal_compression=on',
  'log_line_prefix=%m [%p] ',
];

/**
 * Starts a real PostgreSQL from the npm packages, on loopback and with a password, on a new or an existing folder.
 * It ends with this process, also when that is killed; the remains of a crash are cleaned up first. When it ends
 * unexpectedly, it is started again on the same port, so that clients reconnect; committed data is kept.
 * @throws EmbeddedPostgresError when the platform has no package, the folder is in use, or the server does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = clusterFolder(resolve(options.dataDir));
  await makeFolder(folder.path);
  const lock = await lockFolder(folder);
  try {
    return await onFile(folder.path, () => startLocked(folder, options, lock));
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Before anything is created in it: two processes that create a cluster at the same time would destroy it. */
async function lockFolder({ path, lockFile }: ClusterFolder): Promise<FolderLock> {
  try {
    return await takeFolderLock(lockFile, HOLDER_GRACE_MS);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new EmbeddedPostgresError(`${path} is in use by ${error.holder}`);
  }
}

async function startLocked(
  folder: ClusterFolder,
  options: EmbeddedPostgresOptions,
  lock: FolderLock,
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const account = await findAccount(folder.cluster, [dirname(binaries.postgres), folder.path]);
  const password = await initialiseCluster(folder, { binaries, account });
  const urlAt = (port: number, databaseName = 'postgres') =>
    `postgresql://${DATABASE_USER}:${password}@127.0.0.1:${port}/${encodeURIComponent(databaseName)}`;
  await clearLeftover(folder.cluster, urlAt);

  const settings = [...SETTINGS, ...(options.settings ?? [])];
  const start = (port: number) =>
    startServer({ folder, account, program: binaries.postgres, url: urlAt(port), port, settings });
  const { port, server } = await startOnSomePort(folder, options.port, start);
  await writeFile(folder.portFile, String(port));
  let releaseOwnership = await takeOwnership(urlAt(port));
  const restart = async () => {
    await releaseOwnership();
    await clearLeftover(folder.cluster, urlAt);
    const started = await startAfterFormer(folder.cluster, () => start(port));
    releaseOwnership = await takeOwnership(urlAt(port));
    return started;
  };
  const kept = new KeptServer(server, options.isKeptUp === false ? undefined : restart, {
    ...options,
    onLost: (reason) => options.onLost?.(new EmbeddedPostgresError(reason)),
  });
  return {
    port,
    url: (databaseName) => urlAt(port, databaseName),
    async stop() {
      await releaseOwnership();
      await lock.release();
      await kept.stop((one) => one.stop(STOP_TIMEOUT_MS, () => quit(folder.cluster)));
    },
  };
}

/** A free port can be taken by another process before the server listens on it; then another one is tried. */
async function startOnSomePort(
  folder: ClusterFolder,
  wanted: number | undefined,
  start: (port: number) => Promise<GuardedProcess>,
): Promise<{ port: number; server: GuardedProcess }> {
  const last = Number(await readFile(folder.portFile, 'utf8').catch(() => '0'));
  for (let attempt = 1; ; attempt += 1) {
    const port =
      wanted ?? (attempt === 1 && last > 0 && (await isLoopbackPortFree(last)) ? last : await freePort());
    try {
      return { port, server: await startAfterFormer(folder.cluster, () => start(port)) };
    } catch (error) {
      const taken =
        error instanceof EmbeddedPostgresError && /could not (bind|create any TCP)/.test(error.message);
      if (!taken) throw error;
      if (wanted !== undefined) throw new EmbeddedPostgresError(`port ${wanted} is already in use`);
      if (attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startServer(parts: {
  readonly folder: ClusterFolder;
  readonly account: Account;
  readonly program: string;
  readonly url: string;
  readonly port: number;
  readonly settings: readonly string[];
}): Promise<GuardedProcess> {
  const { folder, account, program, url, port } = parts;
  const args = [
    '-D',
    folder.cluster,
    '-p',
    String(port),
    ...parts.settings.flatMap((setting) => ['-c', setting]),
  ];
  const server = startGuarded({ program, args, logFile: folder.logFile, lastSignal: 'INT' }, account.command);
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && !server.hasExited()) {
    if (await answers(url)) return server;
    await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
  }
  await server.stop(0, () => quit(folder.cluster));
  throw new EmbeddedPostgresError(
    `did not start: ${(await lastLogLine(folder.logFile)) || 'no answer'} (see ${folder.logFile})`,
  );
}

/** Immediate shutdown: no checkpoint, recovery at the next start. */
async function quit(cluster: string): Promise<void> {
  const server = await readPostmasterFile(cluster);
  if (server !== undefined) signalServer(server.pid, 'SIGQUIT');
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort(): Promise<number> {
  const port = await freeLoopbackPort();
  if (port === undefined) throw new EmbeddedPostgresError('this host has no free port on 127.0.0.1');
  return port;
}

/** The last words of a server that did not come up. */
async function lastLogLine(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n');
  const telling = lines.filter((line) => /FATAL|PANIC|error/i.test(line)).pop() ?? lines.pop() ?? '';
  return telling.replace(/^\S+ \S+ \S+ \[\d+\] /, '');
}
