import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, withDatabaseName } from '@tetrad/db';
import { decodeWord } from '@tetrad/rollup-crypto';
import {
  freePorts,
  isServiceReady,
  runLoad,
  startChildService,
  until,
  type ChildService,
} from '@tetrad/testkit';
import { bytesFromHex } from '@tetrad/types';
import { AccountHolder } from '../account-holder.js';
import { IDENTITY, TOKEN, compose, startOperator, type RunningOperator } from '../running-operator.js';

const MAIN = join(import.meta.dirname, '../../bundle/main.js');
const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
const SMALL_AMOUNTS = ['--min-order-amount', '1', '--min-transfer-amount', '1'];

let operator: RunningOperator;
let folder: string;
beforeAll(async () => {
  operator = await startOperator();
  folder = await mkdtemp(join(tmpdir(), 'tetrad-rollup-crash-'));
});
afterAll(async () => {
  await operator.stop();
  await rm(folder, { recursive: true, force: true });
});

async function startProcess(port: number, flags: readonly string[] = []): Promise<ChildService> {
  return startChildService({
    name: 'rollup-operator',
    command: process.execPath,
    args: [
      MAIN,
      '--roles',
      'api',
      '--check-workers',
      '1',
      '--http-listen-port',
      String(port),
      '--ops-listen-port',
      String(port + 1),
      ...IDENTITY,
      ...SMALL_AMOUNTS,
      ...flags,
    ],
    environment: { NODE_OPTIONS: '', TETRAD_ROLLUP_OPERATOR_DATABASE_URL: operator.databaseUrl },
    logFile: join(folder, 'log'),
    isReady: () => isServiceReady(`http://127.0.0.1:${port + 1}`),
  });
}

describe('an operator that is killed while it accepts', () => {
  it('has stored every operation that it acknowledged, next to one that continues', async () => {
    const alice = new AccountHolder(1, 1);
    await operator.result('pazkp_createAccount', alice.registration());
    await operator.finalize();
    const port = await freePorts(2);
    const child = await startProcess(port);
    const calls = Array.from({ length: 600 }, (_, place) =>
      alice.transfer(ADDRESS, TOKEN, BigInt(1 + place), 1 + place),
    );
    const abort = new AbortController();
    const acknowledged: string[] = [];
    const onWire = calls.map((params) => params.map((one) => (typeof one === 'bigint' ? Number(one) : one)));
    await runLoad(onWire, {
      url: `http://127.0.0.1:${port}`,
      connections: 8,
      signal: abort.signal,
      method: 'pazkp_createOutboundTransfer',
      onAnswer(_, { result }) {
        if (result === undefined) return;
        acknowledged.push((result as { operationHash: string }).operationHash);
        if (acknowledged.length !== 120) return;
        abort.abort();
        void child.kill();
      },
    });
    await child.kill();
    expect(acknowledged.length).toBeGreaterThanOrEqual(120);
    for (const hash of acknowledged) {
      expect(await operator.store.findOperation(decodeWord(bytesFromHex(hash)))).toMatchObject({
        accountId: 1,
      });
    }
    // Whatever was stored without an answer is the same when it is sent again.
    const first = await operator.result('pazkp_createOutboundTransfer', calls[0]);
    expect(acknowledged).toContain(first['operationHash']);
    await operator.execute();
    const { rows } = await operator.database.pool.query<{ count: number }>(
      "SELECT count(*)::int FROM operation WHERE status = 'PENDING' AND NOT waiting",
    );
    expect(rows[0]?.count).toBe(0);
  });
});

describe('an operator that is killed between two groups of operations', () => {
  const QUOTA = 150;
  const FLAGS = ['--account-quota', String(QUOTA)];

  it('gives the account neither more nor less than its quota, with another process that goes on', async () => {
    const bob = new AccountHolder(2, 2);
    await operator.result('pazkp_createAccount', bob.registration());
    await operator.finalize();
    const stored = async () => {
      const text = 'SELECT count(*)::int FROM operation WHERE account_id = 2 AND kind = 4';
      return (await operator.database.pool.query<{ count: number }>(text)).rows[0]?.count;
    };
    const calls = Array.from({ length: 2 * QUOTA }, (_, place) =>
      bob.transfer(ADDRESS, TOKEN, 1n, 1 + place),
    );
    const onWire = calls.map((params) => params.map((one) => (typeof one === 'bigint' ? Number(one) : one)));
    const port = await freePorts(2);
    const child = await startProcess(port, FLAGS);
    const abort = new AbortController();
    let acknowledged = 0;
    await runLoad(onWire, {
      url: `http://127.0.0.1:${port}`,
      connections: 8,
      signal: abort.signal,
      method: 'pazkp_createOutboundTransfer',
      onAnswer(_, { result }) {
        if (result !== undefined) acknowledged += 1;
        if (acknowledged !== 40) return;
        abort.abort();
        void child.kill();
      },
    });
    await child.kill();
    const before = await stored();
    expect(before).toBeGreaterThanOrEqual(40);
    expect(before).toBeLessThan(QUOTA);
    const other = await compose(operator.databaseUrl, FLAGS);
    try {
      const codes: unknown[] = [];
      await runLoad(onWire, {
        url: other.url,
        connections: 8,
        signal: new AbortController().signal,
        method: 'pazkp_createOutboundTransfer',
        onAnswer: (_, { error }) => codes.push(error?.code),
      });
      expect(codes.filter((code) => code === undefined)).toHaveLength(QUOTA);
      expect(codes.filter((code) => code === -32005)).toHaveLength(QUOTA);
      expect(await stored()).toBe(QUOTA);
    } finally {
      await other.stop();
    }
  });
});

describe('an operator that is started for another rollup than its database', () => {
  it.each([
    [['--contract', ADDRESS], 'its contract is 0x5fbdb2315678afecb367f032d93f642f64180aa3, not'],
    [['--chain-id', '1'], 'its chain is 31337, not 1'],
  ])('refuses to start with %j', async (flags, message) => {
    await expect(compose(operator.databaseUrl, flags)).rejects.toThrow(
      `the database belongs to another rollup: ${message}`,
    );
  });

  it('starts with another size of batches, which are of no rollup in particular', async () => {
    const service = await compose(operator.databaseUrl, ['--batch-size', '1']);
    try {
      expect((await fetch(`${service.opsUrl}/readyz`)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});

describe('a database that becomes unavailable', () => {
  it('is reported to callers, and the operator is not ready until it is back', async () => {
    const name = new URL(operator.databaseUrl).pathname.slice(1);
    const server = await connectDatabase({
      url: withDatabaseName(operator.databaseUrl, 'postgres'),
      poolSize: 1,
    });
    await server.pool.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.pool.query(
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    const unknown = `0x${'0a'.repeat(32)}`;
    expect(await operator.rejection('pazkp_findOutboundTransfer', [unknown])).toBe('DATABASE_UNAVAILABLE');
    expect(await operator.rejection('pazkp_createAccount', new AccountHolder(5, 5).registration())).toBe(
      'DATABASE_UNAVAILABLE',
    );
    expect((await fetch(`${operator.opsUrl}/readyz`)).status).toBe(503);
    await server.pool.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await server.close();
    expect(await operator.result('pazkp_createAccount', new AccountHolder(5, 5).registration())).toEqual({
      status: 'REGISTERED',
    });
    await until(async () => (await fetch(`${operator.opsUrl}/readyz`)).status === 200);
  });
});
