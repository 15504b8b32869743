import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, listMigrations, migrateDeploy, prismaFolder, type Database } from '@tetrad/db';
import { openSignerStore, type AuditHead } from '@tetrad/signer-store';
import { verifyAuditChain } from '@tetrad/signer-transactions';
import {
  isToRecord,
  openRecording,
  recordDatabases,
  recordedVersions,
  type TestDatabase,
} from '@tetrad/testkit';
import { bytesFromHex } from '@tetrad/types';
import { Transaction } from 'ethers';
import { FakeChain } from './fake-chain.js';
import { startFakeNode, type FakeNode } from './fake-node.js';
import { BASE, KA, REFERENCE_CHAIN, without } from './reference-keys.js';
import { startSigner, type RpcAnswer, type RunningSigner } from './running-signer.js';

/** Databases of released versions. Source: ORIGIN.md there */
const RECORDING = { folder: join(import.meta.dirname, '../vectors'), service: 'signer' };

const TRANSFER = without(BASE, 'nonce');
const POLICY = '[[rule]]\nname = "payments"\nmethods = ["eth_sendTransaction"]\nrate-per-minute = 100\n';
/** Transactions that are mined, and that wait in the pool, when the recording ends. */
const [MINED, WAITING] = [3, 2];
/** A request with an idempotency key, and what the recorded signer answered. */
const KEY = 'invoice-1';
/** Last entry of the recorded audit log, as `signer audit verify` prints it. */
const HEADS: Readonly<Record<string, AuditHead>> = {
  '0.1.0': {
    sequence: 6,
    hash: bytesFromHex('0x329f41971ea1c38308c00db903cfe70c59426a8169f7abe115a4ba980e0c2188'),
  },
};

let folder: string;
let node: FakeNode;
let signer: RunningSigner;
const chain = new FakeChain();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-recorded-signer-'));
  await writeFile(join(folder, 'policy.toml'), POLICY);
  node = await startFakeNode(chain.behaviour);
});
afterAll(async () => {
  await node.stop();
  await rm(folder, { recursive: true, force: true });
});

/** With the key that signed the recorded transactions. */
const start = (databaseUrl?: string) =>
  startSigner({
    downstreamPort: node.port,
    chainId: REFERENCE_CHAIN,
    privateKey: KA,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    flags: ['--policy-file', join(folder, 'policy.toml')],
  });

async function send(fields: object = {}, key?: string): Promise<RpcAnswer> {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [{ ...TRANSFER, ...fields }] };
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  return JSON.parse((await signer.post(JSON.stringify(body), headers)).text) as RpcAnswer;
}

/** What a recording holds: mined and waiting transactions, a request with a key, and decisions of the policy. */
async function record(version: string): Promise<void> {
  const recorded = await start();
  signer = recorded;
  await send({}, KEY);
  for (let sent = 1; sent < MINED; sent++) await send();
  chain.mine();
  for (let sent = 0; sent < WAITING; sent++) await send({ value: '0x1' });
  await recorded.call('eth_sign', [BASE.from, 'refused by the policy']);
  await recordDatabases(RECORDING.folder, version, { signer: recorded.databaseUrl });
  await recorded.stop();
}

describe.each(recordedVersions(RECORDING))('the database of a signer of version %s', (version) => {
  let recorded: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    if (isToRecord(RECORDING, version)) await record(version);
    recorded = await openRecording(RECORDING, version);
    await migrateDeploy(recorded.url, prismaFolder('signer'));
    database = await connectDatabase({ url: recorded.url });
    const { rows } = await database.pool.query<{ nonce: string; raw: Uint8Array }>(
      'SELECT nonce, raw FROM nonce_entry WHERE raw IS NOT NULL',
    );
    for (let nonce = 0; nonce < MINED; nonce++) chain.taken.set(nonce, `mined ${nonce}`);
    chain.mine();
    for (const { nonce, raw } of rows)
      chain.taken.set(Number(nonce), Transaction.from(`0x${Buffer.from(raw).toString('hex')}`).hash ?? '');
    signer = await start(recorded.url);
  });
  afterAll(async () => {
    await signer.stop();
    await database.close();
    await recorded.drop();
  });

  it('has all migrations of this version once they are deployed', async () => {
    const { rowCount } = await database.pool.query(
      'SELECT FROM _prisma_migrations WHERE finished_at IS NOT NULL',
    );
    expect(rowCount).toBe((await listMigrations(prismaFolder('signer'))).length);
  });

  it('answers a request that is repeated under its idempotency key, and sends nothing', async () => {
    expect(await send({}, KEY)).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(await send({ value: '0x2' }, KEY)).toMatchObject({
      error: { data: { reason: 'IDEMPOTENCY_KEY_REUSED' } },
    });
    expect(chain.pendingCount()).toBe(MINED + WAITING);
  });

  it('continues with the nonce after those that were assigned', async () => {
    expect((await send({ value: '0x3' })).result).toBe(chain.taken.get(MINED + WAITING));
    expect(chain.pendingCount()).toBe(MINED + WAITING + 1);
  });

  it('has an audit log that contains the recorded head, and continues it', async () => {
    const store = openSignerStore(database);
    const verdict = await verifyAuditChain(store.audit.rows(), HEADS[version]);
    expect(verdict).toEqual({ intact: true, entries: expect.any(Number), head: expect.anything() });
    expect(verdict.intact && verdict.entries).toBeGreaterThan(HEADS[version]?.sequence ?? 0);
  });
});
