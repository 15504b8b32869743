import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, withDatabaseName } from '@tetrad/db';
import { SECP, startWallet, type RunningWallet } from './running-wallet.js';

let wallet: RunningWallet;
beforeAll(async () => {
  wallet = await startWallet([SECP]);
});
afterAll(() => wallet.stop());

async function admin(sql: string): Promise<void> {
  const server = await connectDatabase({
    url: withDatabaseName(wallet.databaseUrl, 'postgres'),
    poolSize: 1,
  });
  await server.pool.query(sql);
  await server.close();
}

const MESSAGE = {
  Version: 0,
  To: SECP.address,
  From: SECP.address,
  Nonce: 1,
  Value: '1',
  GasLimit: 9,
  GasFeeCap: '1',
  GasPremium: '1',
  Method: 0,
  Params: '',
};
const CALLS: readonly (readonly [string, readonly unknown[]])[] = [
  ['Coin.WalletHas', [SECP.address]],
  ['Coin.WalletList', []],
  ['Coin.WalletSign', [SECP.address, '']],
  ['Coin.WalletSignMessage', [SECP.address, MESSAGE]],
];

describe('a database that becomes unavailable while the wallet serves', () => {
  it('is reported to callers without its address; nothing is signed, and calls succeed again once it is back', async () => {
    // The key is one that the wallet has just used.
    for (const [method, params] of CALLS) expect((await wallet.call(method, params)).error).toBeUndefined();
    const recorded = (await wallet.audit()).length;
    const name = new URL(wallet.databaseUrl).pathname.slice(1);
    await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin(`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${name}'`);
    for (const [method, params] of CALLS) {
      expect((await wallet.call(method, params)).error).toEqual({
        code: -32002,
        message: 'the database is not available; try again',
        data: { reason: 'DATABASE_UNAVAILABLE' },
      });
    }
    const verified = await wallet.call('Coin.WalletVerify', [SECP.address, '', { Type: 1, Data: '' }]);
    expect(verified.result).toBe(false);
    const ready = await fetch(`${wallet.opsUrl}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('database')]);
    await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    for (const [method, params] of CALLS) expect((await wallet.call(method, params)).error).toBeUndefined();
    expect(await wallet.audit()).toHaveLength(recorded + 2);
    expect(wallet.log()).toContain('call refused: database unavailable');
    expect(wallet.log()).not.toContain('call failed');
  });
});
