import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listMigrations, migrateDeploy, prismaFolder } from '@tetrad/db';
import { isToRecord, openRecording, recordDatabases, recordedVersions } from '@tetrad/testkit';
import { BLS, SECP, base64, startWallet, startWalletOn, type RunningWallet } from './running-wallet.js';

/** Databases of released versions. Source: ORIGIN.md there */
const RECORDING = { folder: join(import.meta.dirname, '../vectors'), service: 'wallet' };

/** Messages that the recorded wallet signed, one with each key. */
const SIGNED = 2;
const MESSAGE = base64('recorded');

/** What a recording holds: two sealed keys, and the audit records of their import and of signatures. */
async function record(version: string): Promise<void> {
  const wallet = await startWallet([SECP, BLS]);
  for (const { address } of [SECP, BLS]) await wallet.result('Coin.WalletSign', [address, MESSAGE]);
  await recordDatabases(RECORDING.folder, version, { wallet: wallet.databaseUrl });
  await wallet.stop();
}

describe.each(recordedVersions(RECORDING))('the database of a wallet of version %s', (version) => {
  let wallet: RunningWallet;
  beforeAll(async () => {
    if (isToRecord(RECORDING, version)) await record(version);
    const recorded = await openRecording(RECORDING, version);
    await migrateDeploy(recorded.url, prismaFolder('wallet'));
    wallet = await startWalletOn(recorded, []);
  });
  afterAll(() => wallet.stop());

  it('has all migrations of this version once they are deployed', async () => {
    const { rowCount } = await wallet.database.pool.query(
      'SELECT FROM _prisma_migrations WHERE finished_at IS NOT NULL',
    );
    expect(rowCount).toBe((await listMigrations(prismaFolder('wallet'))).length);
  });

  it('has its keys, and signs with them', async () => {
    const addresses = await wallet.result<string[]>('Coin.WalletList');
    expect(addresses.map((one) => one.slice(1)).sort()).toEqual(
      [SECP, BLS].map(({ address }) => address.slice(1)).sort(),
    );
    for (const { address } of [SECP, BLS]) {
      const signature = await wallet.result('Coin.WalletSign', [address, MESSAGE]);
      expect(await wallet.result('Coin.WalletVerify', [address, MESSAGE, signature])).toBe(true);
    }
  });

  it('has the records of earlier signatures, followed by those of now', async () => {
    const records = await wallet.audit();
    expect(records).toHaveLength(2 * SIGNED);
    expect(records.map(({ sequence }) => sequence)).toEqual(
      records.map(({ sequence }) => sequence).sort((a, b) => a - b),
    );
  });
});
