import { afterEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@tetrad/testkit';
import { BLS, SECP, startWallet, startWalletOn, type RunningWallet } from '../../running-wallet.js';

let wallet: RunningWallet | undefined;
afterEach(async () => wallet?.stop());

const asMain = (address: string) => `f${address.slice(1)}`;

describe('Coin.WalletList', () => {
  it('is empty without keys (WP-64)', async () => {
    wallet = await startWallet();
    expect(await wallet.result('Coin.WalletList')).toEqual([]);
    expect(await wallet.result('Coin.WalletHas', [SECP.address])).toBe(false);
  });

  it('is sorted as text and has the letter of the network', async () => {
    wallet = await startWallet([BLS, SECP]);
    expect(await wallet.result('Coin.WalletList')).toEqual([asMain(SECP.address), asMain(BLS.address)]);
    await wallet.stop();
    wallet = await startWallet([BLS, SECP], ['--network', 'test']);
    expect(await wallet.result('Coin.WalletList')).toEqual([SECP.address, BLS.address]);
  });

  it.each([
    ['no parameters', undefined],
    ['an empty list', []],
    ['null', null],
    ['an empty object', {}],
  ])('takes %s', async (_what, params) => {
    wallet = await startWallet();
    const body = { jsonrpc: '2.0', id: 1, method: 'Coin.WalletList', params };
    expect(JSON.parse((await wallet.post(JSON.stringify(body))).text)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: [],
    });
  });

  it('shows keys that another process adds and deletes while it runs (WP-72)', async () => {
    wallet = await startWallet([SECP]);
    expect(await wallet.result('Coin.WalletList')).toHaveLength(1);
    await wallet.hold(BLS);
    expect(await wallet.result('Coin.WalletList')).toEqual([asMain(SECP.address), asMain(BLS.address)]);
    await wallet.database.pool.query('DELETE FROM wallet_key WHERE kind = 1');
    expect(await wallet.result('Coin.WalletList')).toEqual([asMain(BLS.address)]);
    expect((await wallet.call('Coin.WalletSign', [SECP.address, ''])).error?.code).toBe(-32700);
  });

  it('is the same after a restart', async () => {
    const database = await createTestDatabase('wallet');
    const keep = { url: database.url, drop: async () => undefined };
    const first = await startWalletOn(keep, [SECP, BLS]);
    const before = await first.result('Coin.WalletList');
    const signature = await first.result('Coin.WalletSign', [BLS.address, 'NDI=']);
    await first.stop();
    wallet = await startWalletOn(database, []);
    expect(await wallet.result('Coin.WalletList')).toEqual(before);
    expect(await wallet.result('Coin.WalletSign', [BLS.address, 'NDI='])).toEqual(signature);
  });

  it('takes no parameters', async () => {
    wallet = await startWallet();
    expect((await wallet.call('Coin.WalletList', ['x'])).error?.code).toBe(-32602);
  });
});
