import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blake2b256 } from '@tetrad/crypto';
import { connectDatabase } from '@tetrad/db';
import { runLoad } from '@tetrad/testkit';
import { openWalletStore } from '@tetrad/wallet-store';
import { SECP } from '../running-wallet.js';
import { createWalletHome, type WalletHome } from '../wallet-home.js';

let home: WalletHome;
beforeAll(async () => {
  home = await createWalletHome();
});
afterAll(() => home.remove());

/** Digests of everything that the audit log says was signed. */
async function recordedDigests(): Promise<Set<string>> {
  const database = await connectDatabase({ url: home.databaseUrl, poolSize: 1 });
  const store = openWalletStore(database);
  const records = await store.listAudit({ limit: 100_000 });
  await database.close();
  return new Set(
    records
      .filter(({ action }) => action === 'sign')
      .map(({ digest }) => Buffer.from(digest ?? []).toString('hex')),
  );
}

describe('a wallet that is killed in the middle of signing', () => {
  it('has recorded every signature that it answered, and holds its keys when it starts again', async () => {
    const info = JSON.stringify({ Type: SECP.kind, PrivateKey: SECP.privateKey });
    expect((await home.run(['import'], info)).code).toBe(0);
    const wallet = await home.serve();
    const datas = Array.from({ length: 3_000 }, (_, index) => Buffer.from(`data ${index}`));
    const answered: string[] = [];
    const abort = new AbortController();
    await runLoad(
      datas.map((data) => [SECP.address, data.toString('base64')]),
      {
        url: home.url,
        connections: 16,
        method: 'Coin.WalletSign',
        signal: abort.signal,
        onAnswer(index, { result }) {
          if (result === undefined) return;
          answered.push(Buffer.from(blake2b256(datas[index] as Buffer)).toString('hex'));
          if (answered.length !== 400) return;
          abort.abort();
          void wallet.kill();
        },
      },
    );
    await wallet.kill();
    expect(answered.length).toBeGreaterThanOrEqual(400);
    const recorded = await recordedDigests();
    expect(answered.filter((digest) => !recorded.has(digest))).toEqual([]);
    const again = await home.serve();
    const [list] = await runLoad([[]], { url: home.url, connections: 1, method: 'Coin.WalletList' });
    await again.stop();
    expect(list?.result).toEqual([`f${SECP.address.slice(1)}`]);
  });

  it('does not start with a wrong passphrase, and says why', async () => {
    const file = await home.file('wrong', 'not it\n');
    const { code, stderr } = await home.runProcess([
      'serve',
      '--passphrase-file',
      file,
      '--http-listen-port',
      '0',
    ]);
    expect([code, stderr]).toEqual([
      2,
      'tetrad wallet: --passphrase-file: the passphrase does not open this wallet',
    ]);
  });
});
