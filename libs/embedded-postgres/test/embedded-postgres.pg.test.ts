import { spawn } from 'node:child_process';
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findRunningPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from '../src/index.js';

let base: string;
let dataDir: string;
let count = 0;
const servers: EmbeddedPostgres[] = [];

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'tetrad-embedded-'));
  // Clusters of these tests are made as those of operators.
  delete process.env['TETRAD_CLUSTER_TEMPLATE'];
});

beforeEach(() => {
  dataDir = join(base, String((count += 1)));
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function start(port?: number): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, ...(port === undefined ? {} : { port }) });
  servers.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Resolves when a statement with the text runs. */
async function untilRunning(server: EmbeddedPostgres, text: string): Promise<void> {
  const sql = `SELECT FROM pg_stat_activity
                WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%${text}%'`;
  while ((await query(server.url('postgres'), sql)).length === 0);
}

const postmasterPid = () =>
  Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((tick) => setTimeout(tick, 20));
}

/** The system's status of a process; undefined when it has ended, even during the query. */
function statusOf(pid: number | string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether the process has ended; a zombie counts as ended, since its parent depends on the host. */
function isGone(pid: number): boolean {
  const status = statusOf(pid);
  return status === undefined || /^State:\s+Z/m.test(status);
}

/** A process of its own that holds a server on the data directory. */
async function startHolder(options: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixture-postgres.mjs'), dataDir], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const url = await new Promise<string>((done, fail) => {
    child.stdout.once('data', (chunk: Buffer) => done(chunk.toString().trim()));
    child.once('close', (code) => fail(new Error(`ended with ${code}: ${complaint}`)));
  });
  return { child, url, pid: postmasterPid() };
}

/** The shells that would stop the server when its owner dies. */
function guardsOf(postmaster: number): number[] {
  const parentOf = (pid: string) => Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid) ?? '')?.[1]);
  const guard = parentOf(String(postmaster));
  const others = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== postmaster && parentOf(name) === guard,
  );
  return [guard, ...others.map(Number)];
}

/** A port that no outgoing connection is given meanwhile: they have those from 32768 on. */
function quietPort(): number {
  return 30_100 + Math.floor(Math.random() * 2_500);
}

describe('a server that ends unexpectedly', () => {
  it('is started again on its port, with all that was committed, and stops in order afterwards', async () => {
    const events: string[] = [];
    const server = await startEmbeddedPostgres({
      dataDir,
      onDown: (why) => events.push(why),
      onUp: () => events.push('up'),
    });
    servers.push(server);
    const url = server.url('postgres');
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS number');
    for (const times of [1, 2]) {
      const pid = postmasterPid();
      process.kill(pid, 'SIGKILL');
      await until(() => events.filter((one) => one === 'up').length === times);
      expect(await query(url, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
      expect(postmasterPid()).not.toBe(pid);
      expect((await findRunningPostgres(dataDir))?.('postgres')).toBe(url);
    }
    expect(events).toEqual([
      'the server was ended by SIGKILL',
      'up',
      'the server was ended by SIGKILL',
      'up',
    ]);
    const last = postmasterPid();
    await server.stop();
    expect(isGone(last)).toBe(true);
    expect(events).toHaveLength(4);
  });
});

describe('a server that another part of the host runs', () => {
  it('is found while it runs, and only then', async () => {
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
    const server = await start();
    const urlOf = await findRunningPostgres(dataDir);
    expect(await query(urlOf?.('postgres') ?? '', 'SELECT 7 AS seven')).toEqual([{ seven: 7 }]);
    await server.stop();
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
  });
});

describe('an embedded PostgreSQL', () => {
  it('is durable, on loopback only and asks for its password', async () => {
    const server = await start();
    const url = server.url('postgres');
    const [settings] = await query(
      url,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
              current_setting('full_page_writes') AS pages, current_setting('listen_addresses') AS listen,
              current_setting('password_encryption') AS auth`,
    );
    expect(settings).toEqual({
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      listen: '127.0.0.1',
      auth: 'scram-sha-256',
    });
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'cluster')).mode & 0o777).toBe(0o700);
  });

  it('keeps its data, password and port over a stop', async () => {
    const first = await start(quietPort());
    await query(first.url('postgres'), 'CREATE TABLE kept AS SELECT 7 AS value');
    await first.stop();
    const second = await start();
    expect(second.url('postgres')).toBe(first.url('postgres'));
    expect(await query(second.url('postgres'), 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
  });

  it('recovers when the server was killed', async () => {
    const first = await start();
    await query(first.url('postgres'), 'CREATE TABLE kept AS SELECT 7 AS value');
    const pid = postmasterPid();
    process.kill(pid, 'SIGKILL');
    await until(() => isGone(pid));
    await first.stop();
    const second = await start();
    expect(await query(second.url('postgres'), 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
  });

  it('waits for processes of a killed server that are still running', async () => {
    const first = await start();
    const busy = query(first.url('postgres'), 'SELECT count(*) FROM generate_series(1, 20000000)');
    const ended = busy.catch(() => 'connection lost');
    await untilRunning(first, 'generate_series');
    const pid = postmasterPid();
    process.kill(pid, 'SIGKILL');
    await until(() => isGone(pid));
    await first.stop();
    const second = await start();
    expect(await query(second.url('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await ended;
  });

  it('starts although another process now has the id that the old server had', async () => {
    await (await start()).stop();
    writeFileSync(
      join(dataDir, 'cluster', 'postmaster.pid'),
      `${process.pid}\n${dataDir}\n0\n1\n\n127.0.0.1\n`,
    );
    const server = await start();
    expect(await query(server.url('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('creates a cluster again after an interruption', async () => {
    mkdirSync(join(dataDir, 'cluster.new', 'base'), { recursive: true });
    const server = await start();
    expect(await query(server.url('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('names the port that is taken', async () => {
    const blocker = createServer();
    await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done));
    const { port } = blocker.address() as AddressInfo;
    await expect(start(port)).rejects.toThrow(`embedded PostgreSQL: port ${port} is already in use`);
    blocker.close();
  });

  it('takes another port when that of the last start is taken', async () => {
    const first = await start(quietPort());
    await first.stop();
    const blocker = createServer();
    await new Promise<void>((done) => blocker.listen(first.port, '127.0.0.1', done));
    const second = await start();
    expect(second.port).not.toBe(first.port);
    blocker.close();
  });
});

describe('an embedded PostgreSQL and the process that owns it', () => {
  it('ends when that is killed, and the next start has what was committed', async () => {
    const holder = await startHolder();
    await query(holder.url, 'CREATE TABLE kept AS SELECT 7 AS value');
    holder.child.kill('SIGKILL');
    const server = await start();
    await until(() => isGone(holder.pid));
    expect(await query(server.url('postgres'), 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
  });

  it('starts once when two start on an empty folder at the same time; the error of the other names the holder', async () => {
    const starts = await Promise.allSettled([startHolder(), startHolder()]);
    const [winner, ...more] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const [loser] = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
    expect(more).toEqual([]);
    expect(loser).toContain(`${dataDir} is in use by process ${winner?.child.pid}`);
    expect(await query(winner?.url ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    winner?.child.kill('SIGKILL');
    const server = await start();
    expect(await query(server.url('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is stopped by the next start when it was left behind without an owner', async () => {
    const holder = await startHolder();
    const guards = guardsOf(holder.pid);
    // Each would stop the server when it sees that another has ended.
    holder.child.kill('SIGSTOP');
    for (const pid of guards) process.kill(pid, 'SIGSTOP');
    for (const pid of guards) process.kill(pid, 'SIGKILL');
    holder.child.kill('SIGKILL');
    await new Promise((done) => holder.child.once('exit', done));
    expect(isGone(holder.pid)).toBe(false);
    const server = await start();
    await until(() => isGone(holder.pid));
    expect(await query(server.url('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is not taken over from a process that uses it', async () => {
    const holder = await startHolder();
    await expect(start()).rejects.toThrow(`${dataDir} is in use by process ${holder.child.pid}`);
    expect(await query(holder.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    holder.child.kill('SIGKILL');
    await until(() => isGone(holder.pid));
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;

  asRoot('may be an ordinary user', async () => {
    mkdirSync(dataDir);
    chownSync(base, 65_534, 65_534);
    chownSync(dataDir, 65_534, 65_534);
    const holder = await startHolder({ uid: 65_534, gid: 65_534 });
    expect(statSync(join(dataDir, 'cluster')).uid).toBe(65_534);
    holder.child.kill('SIGKILL');
    await until(() => isGone(holder.pid));
    chownSync(base, 0, 0);
  });

  asRoot('may be root, whose copy of the folder belongs to root', async () => {
    const server = await start();
    await query(server.url('postgres'), 'CREATE TABLE kept (id int)');
    servers.splice(0);
    await server.stop();
    const original = dataDir;
    dataDir = join(base, 'copied');
    // As `cp -r` leaves it.
    cpSync(original, dataDir, { recursive: true });
    expect(statSync(join(dataDir, 'cluster')).uid).toBe(0);
    const copied = await start();
    expect(await query(copied.url('postgres'), 'SELECT count(*)::int AS rows FROM kept')).toEqual([
      { rows: 0 },
    ]);
    expect(statSync(join(dataDir, 'cluster/base')).uid).not.toBe(0);
  });

  asRoot('may be root, with its data in a folder that other users cannot enter', async () => {
    const closed = join(base, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    dataDir = join(closed, 'data');
    const server = await start();
    expect(await query(server.url('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(statSync(join(dataDir, 'cluster')).uid).not.toBe(0);
  });
});
