import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, listMigrations, migrateDeploy, prismaFolder, type Database } from '@tetrad/db';
import { readJson, writeJson } from '@tetrad/rpc';
import {
  isToRecord,
  openRecording,
  recordDatabases,
  recordedVersions,
  type TestDatabase,
} from '@tetrad/testkit';
import { AccountHolder } from './account-holder.js';
import { TOKEN, blockHash, compose, startOperator, type RpcAnswer } from './running-operator.js';

/** Databases of released versions. Source: ORIGIN.md there */
const RECORDING = { folder: join(import.meta.dirname, '../vectors'), service: 'rollup-operator' };

const [alice, bob] = [new AccountHolder(1, 1), new AccountHolder(2, 2)];
const DEPOSIT = 1_000_000n;
const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
/** Batches that the chain has accepted when the recording ends. */
const FINAL = 4;
/** The nonces of Alice: a redemption, a payment that is final, one that is executed, one that is accepted. */
const NONCES = { redemption: 1, final: 2, executed: 3, pending: 4 };

/** What a recording holds: accounts, a deposit and its redemption, payments in every state, and a transfer out. */
async function record(version: string): Promise<void> {
  const operator = await startOperator();
  for (const holder of [alice, bob]) await operator.result('pazkp_createAccount', holder.registration());
  await operator.deposit(1, TOKEN, DEPOSIT);
  await operator.finalize();
  const [first] = await operator.store.listReceivedOrders({
    toAccountId: 1,
    fromTotalIndex: 0,
    upToHeight: 99,
    redeemed: false,
    limit: 1,
  });
  if (first === undefined) throw new Error('no order');
  const redemption = alice.redemption(first.order, first.totalIndex, NONCES.redemption);
  await operator.result('pazkp_redeemMoneyOrder', redemption);
  await operator.finalize();
  await operator.result('pazkp_createMoneyOrder', alice.payment(bob, TOKEN, 2_500n, NONCES.final));
  await operator.finalize();
  await operator.result('pazkp_createOutboundTransfer', alice.transfer(ADDRESS, TOKEN, 60n, NONCES.executed));
  await operator.execute();
  await operator.result('pazkp_createMoneyOrder', alice.payment(bob, TOKEN, 7n, NONCES.pending));
  await recordDatabases(RECORDING.folder, version, { 'rollup-operator': operator.databaseUrl });
  await operator.stop();
}

describe.each(recordedVersions(RECORDING))('the database of a rollup operator of version %s', (version) => {
  let recorded: TestDatabase;
  let database: Database;
  let operator: Awaited<ReturnType<typeof compose>>;
  beforeAll(async () => {
    if (isToRecord(RECORDING, version)) await record(version);
    recorded = await openRecording(RECORDING, version);
    await migrateDeploy(recorded.url, prismaFolder('rollup-operator'));
    database = await connectDatabase({ url: recorded.url });
    operator = await compose(recorded.url, []);
  });
  afterAll(async () => {
    await operator.stop();
    await database.close();
    await recorded.drop();
  });

  async function result(method: string, ...params: readonly unknown[]): Promise<Record<string, unknown>> {
    const response = await fetch(operator.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: writeJson({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result: found, error } = readJson(await response.text(), 64) as RpcAnswer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return found as Record<string, unknown>;
  }

  it('has all migrations of this version once they are deployed', async () => {
    const { rowCount } = await database.pool.query(
      'SELECT FROM _prisma_migrations WHERE finished_at IS NOT NULL',
    );
    expect(rowCount).toBe((await listMigrations(prismaFolder('rollup-operator'))).length);
  });

  it('has accounts and balances as they were', async () => {
    expect(await result('pazkp_getAccountState', 1)).toMatchObject({
      balances: { [TOKEN]: Number(DEPOSIT) - 2_500 },
    });
  });

  it('has each operation in its state, with the block of those that the chain has accepted', async () => {
    const { rows } = await database.pool.query<{ hash: Uint8Array; nonce: string }>(
      'SELECT hash, nonce FROM operation WHERE account_id = 1 ORDER BY nonce',
    );
    const hashOf = (nonce: number) =>
      `0x${Buffer.from(rows.find((row) => Number(row.nonce) === nonce)?.hash ?? []).toString('hex')}`;
    expect(await result('pazkp_findMoneyOrderCreation', 1, hashOf(NONCES.final))).toMatchObject({
      status: 'EXECUTED',
      batchHeight: FINAL,
      blockNumber: 100 + FINAL,
      blockHash: blockHash(100 + FINAL),
    });
    expect(await result('pazkp_findOutboundTransfer', 1, hashOf(NONCES.executed))).toMatchObject({
      status: 'EXECUTED',
      blockNumber: null,
    });
    expect(await result('pazkp_findMoneyOrderCreation', 1, hashOf(NONCES.pending))).toMatchObject({
      status: 'PENDING',
      batchHeight: null,
    });
  });

  it('accepts the next operation of an account', async () => {
    const params = alice.payment(bob, TOKEN, 1n, NONCES.pending + 1);
    const { operationHash } = await result('pazkp_createMoneyOrder', ...params);
    expect(await result('pazkp_findMoneyOrderCreation', 1, operationHash)).toMatchObject({
      status: 'PENDING',
    });
  });
});
