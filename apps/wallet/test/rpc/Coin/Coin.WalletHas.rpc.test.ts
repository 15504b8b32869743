import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SECP, startWallet, type RunningWallet } from '../../running-wallet.js';

const UNKNOWN = 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy';

let wallet: RunningWallet;
beforeAll(async () => {
  wallet = await startWallet([SECP]);
});
afterAll(() => wallet.stop());

describe('Coin.WalletHas', () => {
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
