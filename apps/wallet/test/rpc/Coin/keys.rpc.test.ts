import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@tetrad/testkit';
import { BLS, SECP, startWallet, startWalletOn, type RunningWallet } from '../../running-wallet.js';

describe('Coin.WalletHas', () => {
  const UNKNOWN = 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy';

  let wallet: RunningWallet;
  beforeAll(async () => {
    wallet = await startWallet([SECP]);
  });
  afterAll(() => wallet.stop());

  it('is true for an address whose key is held, in the letters of both networks', async () => {
    expect(await wallet.call('Coin.WalletHas', [SECP.address])).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: true,
    });
    expect(await wallet.result('Coin.WalletHas', [SECP.address.replace('t', 'f')])).toBe(true);
  });

  it('is false for a well-formed address without a key, of every protocol (WP-66)', async () => {
    for (const address of [UNKNOWN, 'f01234', 'f2nuqrg7vuysaue2pistjjnt3fadsdzvyuatqtfei']) {
      expect(await wallet.result('Coin.WalletHas', [address])).toBe(false);
    }
  });

  it('takes its parameter by name, under the name that other signers give it too', async () => {
    expect(await wallet.result('Coin.WalletHas', { address: SECP.address })).toBe(true);
    expect(await wallet.result('Coin.WalletHas', { identifier: UNKNOWN })).toBe(false);
  });

  it.each([
    ['f1', 'Invalid Address length'],
    ['', 'Invalid Address length'],
    ['<empty>', 'Unknown Filecoin network'],
    ['f17uoq6tp427uzv7fztkbsnn64iwotfrristwpr', "Filecoin address checksum doesn't match"],
    ['Q17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy', 'Unknown Filecoin network'],
    ['f57uoq6tp427uzv7fztkbsnn64iwotfrristwpryy', 'Unknown Filecoin protocol'],
    ['f17uoq6tp427uzT7fztkbsnn64iwot!rristwpryy', 'Invalid payload must be base32 encoded'],
  ])('refuses the address %j with -32700 and says why', async (address, message) => {
    expect(await wallet.call('Coin.WalletHas', [address])).toMatchObject({
      error: { code: -32700, message, data: { reason: 'INVALID_COIN_ADDRESS' } },
    });
  });

  it.each([[[]], [[7]], [[null]], [['f01', 'x']]])('refuses the parameters %j', async (params) => {
    expect((await wallet.call('Coin.WalletHas', params)).error?.code).toBe(-32602);
  });
});

describe('Coin.WalletList', () => {
  let wallet: RunningWallet | undefined;
  afterEach(async () => wallet?.stop());

  const asMain = (address: string) => `f${address.slice(1)}`;

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
