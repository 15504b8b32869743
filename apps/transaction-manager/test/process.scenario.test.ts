import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, withDatabaseName } from '@tetrad/db';
import { createTestDatabase, until, type ChildService, type TestDatabase } from '@tetrad/testkit';
import { ManagerClient } from '@tetrad/transaction-manager-client';
import type { PtmKey } from '@tetrad/types';
import { logOf, managerHome, runCommand, startProcess, type ManagerHome } from './running-manager.js';

const MARKER = 'a marker that no one else may read';
const PLAIN = { privacyFlag: 0, affected: [], execHash: '', mandatoryFor: [], from: undefined };

let folder: string;
const databases: TestDatabase[] = [];
const homes: ManagerHome[] = [];
const keys: PtmKey[] = [];
const clients: ManagerClient[] = [];
let processes: ChildService[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-tm-'));
  await writeFile(join(folder, 'password'), 'a password for tests\n', { mode: 0o600 });
  for (const name of ['first', 'second']) {
    const files = ['--out', join(folder, name), '--password-file', join(folder, 'password')];
    expect(await runCommand(['key', 'new', ...files])).toMatchObject({ code: 0 });
    keys.push((await readFile(join(folder, `${name}.pub`), 'utf8')) as PtmKey);
    databases.push(await createTestDatabase('transaction-manager'));
    const { url: databaseUrl } = databases.at(-1) as TestDatabase;
    homes.push(await managerHome({ name, folder, databaseUrl, peer: homes[0]?.peerUrl }));
    clients.push(
      new ManagerClient({ url: homes.at(-1)!.clientUrl, timeoutMs: 60_000, connectTimeoutMs: 60_000 }),
    );
  }
  processes = await Promise.all(homes.map(startProcess));
  await meet();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await Promise.all(processes.map((child) => child.stop()));
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Waits until the first manager reaches the second. */
function meet(): Promise<void> {
  return until(async () => (await send()).kind === 'done');
}

function send(text = MARKER) {
  return clients[0]!.send({ ...PLAIN, payload: Buffer.from(text), to: [keys[1]!] });
}

async function sentHash(text?: string): Promise<Uint8Array> {
  const sent = await send(text);
  if (sent.kind !== 'done') throw new Error(JSON.stringify(sent));
  return sent.value.hash;
}

async function textAt(index: number, hash: Uint8Array): Promise<string> {
  const found = await clients[index]!.receive(hash);
  return found.kind === 'found' ? Buffer.from(found.value.plaintext).toString() : found.kind;
}

/** @returns the hash of a payload that was stored first, and sent then; undefined when the manager did not say so */
async function sendStored(text: string): Promise<Uint8Array | undefined> {
  const stored = await clients[0]!.storeRaw(Buffer.from(text), undefined);
  if (stored.kind !== 'done') return undefined;
  const { hash } = stored.value;
  const sent = await clients[0]!.sendSigned({ ...PLAIN, hash, to: [keys[1]!] });
  return sent.kind === 'done' ? hash : undefined;
}

/** Hashes in a table of a manager, as text. */
async function hashesIn(index: number, table: string): Promise<string[]> {
  const database = await connectDatabase({ url: databases[index]!.url, poolSize: 1 });
  try {
    const { rows } = await database.pool.query<{ hash: Buffer }>(`SELECT hash FROM ${table}`);
    return rows.map(({ hash }) => hash.toString('base64'));
  } finally {
    await database.close();
  }
}

async function restart(index: number): Promise<void> {
  processes[index] = await startProcess(homes[index]!);
}

async function admin(sql: string): Promise<void> {
  const server = await connectDatabase({
    url: withDatabaseName(databases[0]!.url, 'postgres'),
    poolSize: 1,
  });
  await server.pool.query(sql);
  await server.close();
}

describe('two managers in separate processes', () => {
  it('killed under load with kill -9, both have every payload that was acknowledged', async () => {
    const acknowledged: Uint8Array[] = [];
    let running = true;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (running) {
          const sent = await send('under load');
          if (sent.kind === 'done') acknowledged.push(sent.value.hash);
        }
      }),
    );
    await until(async () => acknowledged.length > 40);
    await processes[1]!.kill();
    await processes[0]!.kill();
    running = false;
    await load;
    await Promise.all([restart(0), restart(1)]);
    for (const index of [0, 1])
      for (const hash of acknowledged) expect(await textAt(index, hash)).toBe('under load');
  });

  it('killed while it sends, the first has everything that it stored delivered after its start', async () => {
    await meet();
    const acknowledged: Uint8Array[] = [];
    for (let kills = 0; kills < 3; kills += 1) {
      let running = true;
      const before = acknowledged.length;
      const load = Promise.all(
        Array.from({ length: 8 }, async () => {
          while (running) {
            const hash = await sendStored(`kill ${kills}`);
            if (hash !== undefined) acknowledged.push(hash);
          }
        }),
      );
      await until(async () => acknowledged.length > before + 10);
      await new Promise((passed) => setTimeout(passed, Math.random() * 50));
      await processes[0]!.kill();
      running = false;
      await load;
      await restart(0);
    }
    await until(async () => (await hashesIn(0, 'undelivered_payload')).length === 0);
    const delivered = new Set(await hashesIn(1, 'payload'));
    expect((await hashesIn(0, 'payload')).filter((hash) => !delivered.has(hash))).toEqual([]);
    for (const index of [0, 1])
      for (const hash of acknowledged) expect(await textAt(index, hash)).toMatch(/^kill \d$/);
  });

  it('killed before the recipient has it, the first does not say that it was sent, and delivers it later', async () => {
    await meet();
    await until(async () => (await hashesIn(0, 'undelivered_payload')).length === 0);
    const stored = await clients[0]!.storeRaw(Buffer.from('in between'), undefined);
    if (stored.kind !== 'done') throw new Error(JSON.stringify(stored));
    const { hash } = stored.value;
    const request = { ...PLAIN, hash, to: [keys[1]!] };
    process.kill(processes[1]!.pid, 'SIGSTOP');
    const sent = clients[0]!.sendSigned(request);
    await until(async () => (await hashesIn(0, 'undelivered_payload')).length === 1);
    await processes[0]!.kill();
    expect(await sent).toMatchObject({ kind: 'unknown' });
    await restart(0);
    expect(await clients[0]!.participants(hash)).toMatchObject({ kind: 'unknown' });
    expect(await clients[0]!.sendSigned(request)).toMatchObject({ kind: 'refused' });
    expect(await textAt(0, hash)).toBe('in between');
    process.kill(processes[1]!.pid, 'SIGCONT');
    await until(async () => (await textAt(1, hash)) === 'in between');
    await until(async () => (await clients[0]!.participants(hash)).kind === 'found');
  });

  it('say which recipient is down, and continue when it is back', async () => {
    await meet();
    await processes[1]!.kill();
    expect(await send()).toEqual({
      kind: 'refused',
      status: 410,
      text: `Connection error while communicating with ${homes[1]!.peerUrl}/`,
    });
    expect(await send()).toEqual({
      kind: 'refused',
      status: 404,
      text: `Recipient not found for key: ${keys[1]}`,
    });
    await restart(1);
    await meet();
  });

  it('say that the database is unavailable, not that nothing is found, and continue by themselves', async () => {
    await meet();
    const hash = await sentHash();
    const name = new URL(databases[0]!.url).pathname.slice(1);
    await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin(`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${name}'`);
    const text = 'the database is not available; try again';
    expect(await clients[0]!.receive(hash)).toEqual({ kind: 'unknown', reason: `503 status: ${text}` });
    expect(await send()).toEqual({ kind: 'refused', status: 503, text });
    const ready = await fetch(`${homes[0]!.opsUrl}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('database')]);
    await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await until(async () => (await send()).kind === 'done');
    expect(await textAt(0, hash)).toBe(MARKER);
    await until(async () => (await fetch(`${homes[0]!.opsUrl}/readyz`)).status === 200);
  });

  it('recover what one of them lost, by a command', async () => {
    const hash = await sentHash('lost');
    await processes[1]!.stop();
    const database = await connectDatabase({ url: databases[1]!.url, poolSize: 1 });
    await database.pool.query('TRUNCATE payload, payload_recipient');
    await database.close();
    const { code, output } = await runCommand(['recover'], homes[1]);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(`${homes[0]!.peerUrl}/ sent all it has for us`),
    ]);
    await restart(1);
    expect(await textAt(1, hash)).toBe('lost');
  });

  it('count requests by path, and write no plaintext anywhere', async () => {
    const metrics = await (await fetch(`${homes[0]!.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /^transaction_manager_requests_total\{port="client",path="\/send",status="201"\} \d/m,
    );
    for (const [index, { url }] of databases.entries()) {
      const database = await connectDatabase({ url, poolSize: 1 });
      for (const table of ['payload', 'raw_payload', 'staged_payload']) {
        const { rowCount } = await database.pool.query(
          `SELECT FROM ${table} AS stored WHERE position($1 IN stored::text) > 0`,
          [Buffer.from(MARKER).toString('hex')],
        );
        expect(rowCount).toBe(0);
      }
      await database.close();
      const log = await readFile(logOf(homes[index]!), 'utf8');
      expect(log).toContain('transaction manager ready');
      for (const secret of [MARKER, Buffer.from(MARKER).toString('base64'), 'a password for tests'])
        expect(log).not.toContain(secret);
    }
  });

  it('end a recovery with a warning when the peer began empty and cannot know what it lost', async () => {
    await Promise.all(processes.map((child) => child.stop()));
    const database = await connectDatabase({ url: databases[0]!.url, poolSize: 1 });
    await database.pool.query('TRUNCATE payload, payload_recipient, staged_payload, completeness');
    await database.close();
    // The other one holds what it sent, so that it stays in doubt.
    await restart(0);
    const { code, output } = await runCommand(['recover'], homes[1]);
    const url = `${homes[0]!.peerUrl}/`;
    expect([code, output]).toEqual([0, expect.stringContaining(`${url} sent all it has for us`)]);
    expect(output).toMatch(new RegExp(`^warning: ${url} cannot know`, 'm'));
    expect(output).not.toMatch(/^complete/m);
    await restart(1);
    await meet();
  });
});
