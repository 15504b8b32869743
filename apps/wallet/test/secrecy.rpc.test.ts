import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BLS, PASSPHRASE, SECP, startWallet, type RunningWallet } from './running-wallet.js';

let wallet: RunningWallet;
beforeAll(async () => {
  wallet = await startWallet([SECP, BLS]);
});
afterAll(() => wallet.stop());

/** Every form in which a key could be seen: both byte orders, hex in either case, base64 with and without padding. */
function formsOf(base64: string): string[] {
  const bytes = Buffer.from(base64, 'base64');
  return [bytes, Buffer.from(bytes).reverse()].flatMap((one) => [
    one.toString('hex'),
    one.toString('base64').replace(/=+$/, ''),
    one.toString('base64url'),
    one.toString('latin1'),
    [...one].join(','),
  ]);
}

describe('a whole run', () => {
  it('shows nothing of keys and passphrase: not in answers, logs, metrics or the database', async () => {
    const seen: string[] = [];
    const call = async (method: string, params: unknown) => {
      seen.push(
        JSON.stringify(await wallet.call(method, params), (_, v: unknown) =>
          typeof v === 'bigint' ? `${v}` : v,
        ),
      );
    };
    for (const { address } of [SECP, BLS]) {
      const message = {
        Version: 0,
        To: address,
        From: address,
        Nonce: 0,
        Value: '1',
        GasLimit: 1,
        Method: 0,
        GasFeeCap: '1',
        GasPremium: '1',
        Params: '',
      };
      await call('Coin.WalletSign', [address, 'NDI=']);
      await call('Coin.WalletSignMessage', [address, message]);
      await call('Coin.WalletSignMessage', [address, { ...message, From: 'f01' }]);
      await call('Coin.WalletSign', [address, 'x']);
      await call('Coin.WalletSign', [`${address}x`, '']);
    }
    await call('Coin.WalletList', []);
    // Damage of every kind, and a database that is gone, which is a fault that gets logged with its stack.
    await wallet.database.pool.query('UPDATE wallet_key SET nonce = sealed WHERE kind = 1');
    await wallet.database.pool.query('UPDATE wallet_key SET sealed = sealed || nonce WHERE kind = 2');
    for (const { address } of [SECP, BLS]) await call('Coin.WalletSign', [address, '']);
    await wallet.database.pool.query('ALTER TABLE wallet_key RENAME TO gone');
    for (const { address } of [SECP, BLS]) await call('Coin.WalletSign', [address, '']);
    await wallet.database.pool.query('ALTER TABLE gone RENAME TO wallet_key');
    seen.push(wallet.log(), await (await fetch(`${wallet.opsUrl}/metrics`)).text());
    expect(wallet.log()).toContain('call failed');
    const { rows } = await wallet.database.pool.query<{ row: string }>(
      'SELECT wallet_key::text AS row FROM wallet_key UNION ALL SELECT audit_record::text FROM audit_record',
    );
    seen.push(...rows.map(({ row }) => row));
    const everything = seen.join('\n').toLowerCase();
    const secrets = [...formsOf(SECP.privateKey), ...formsOf(BLS.privateKey), PASSPHRASE];
    expect(secrets.filter((secret) => everything.includes(secret.toLowerCase()))).toEqual([]);
  });
});
