import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, http, stringToBytes, type Client } from 'viem';
import { startOperator, type RunningOperator } from '../../../apps/rollup-operator/test/running-operator.js';
import { BLS, SECP, startWallet, type RunningWallet } from '../../../apps/wallet/test/running-wallet.js';
import {
  InvalidCoinMessageError,
  TetradRequestError,
  UnexpectedServiceError,
  coinActions,
  createTetradClient,
  findServed,
  type CoinActions,
  type CoinMessage,
} from '../src/index.js';

const STRANGER = 't17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy';
const LEAST: CoinMessage = {
  to: BLS.address,
  from: SECP.address,
  nonce: 7,
  value: 10n ** 21n,
  gasLimit: 1_000_000n,
  gasFeeCap: 100n,
  gasPremium: 10n,
  method: 3_844_450_837,
};
const MESSAGE: CoinMessage = { ...LEAST, version: 0, params: '0x4401020304' };

let wallet: RunningWallet;
let client: Client & CoinActions;
beforeAll(async () => {
  wallet = await startWallet([SECP, BLS], ['--network', 'test']);
  client = createClient({ transport: http(`${wallet.url}/rpc/v1/coin`) }).extend(coinActions());
});
afterAll(() => wallet?.stop());

describe('the client of a wallet', () => {
  it('knows whose keys the wallet holds', async () => {
    expect(await client.walletList()).toEqual([SECP.address, BLS.address].sort());
    expect(await client.walletHas({ address: SECP.address })).toBe(true);
    expect(await client.walletHas({ address: STRANGER })).toBe(false);
  });

  it.each([
    ['secp256k1', SECP.address, 65],
    ['bls', BLS.address, 96],
  ] as const)('signs data with a key of %s, and verifies the signature', async (type, address, bytes) => {
    const data = stringToBytes('data to sign');
    const signature = await client.walletSign({ address, data });
    expect(signature).toEqual({
      type,
      data: expect.stringMatching(new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`)),
    });
    expect(await client.walletVerify({ address, data, signature })).toBe(true);
    expect(await client.walletVerify({ address, data: '0x00', signature })).toBe(false);
  });

  it('signs a message, and reads it from the answer as it was', async () => {
    const { message, signature } = await client.walletSignMessage({ message: MESSAGE });
    expect(message).toEqual(MESSAGE);
    expect(signature).toMatchObject({ type: 'secp256k1' });
    expect((await client.walletSignMessage({ message: LEAST })).message).toMatchObject(LEAST);
    expect(await wallet.audit()).toHaveLength(4);
  });

  it('passes on what the data is', async () => {
    const signed = client.walletSign({
      address: SECP.address,
      data: '0x01',
      meta: { type: 'message', extra: '0x02' },
    });
    await expect(signed).rejects.toMatchObject({ reason: 'MESSAGE_META_MISMATCH' });
  });

  it('has the reason of a rejection, and the link of its page', async () => {
    const error: unknown = await client.walletSign({ address: STRANGER, data: '0x01' }).catch((one) => one);
    expect(error).toBeInstanceOf(TetradRequestError);
    expect(error).toMatchObject({ reason: 'NO_KEYS_FOR_ADDRESS', method: 'Coin.WalletSign' });
    await expect(client.walletHas({ address: 'x' })).rejects.toMatchObject({
      reason: 'INVALID_COIN_ADDRESS',
    });
  });

  it.each([
    ['nonce', 2 ** 53],
    ['nonce', -1],
    ['gasLimit', 2n ** 53n],
    ['method', 0.5],
    ['value', -1n],
    ['gasFeeCap', 1],
  ])('names a member of a message that cannot be signed: %s %s', async (field, value) => {
    const message = { ...MESSAGE, [field]: value } as CoinMessage;
    const signed = client.walletSignMessage({ message });
    await expect(signed).rejects.toThrow(InvalidCoinMessageError);
    await expect(signed).rejects.toMatchObject({ field });
  });
});

describe('what is found at the URL of a service without a chain', () => {
  let operator: RunningOperator;
  beforeAll(async () => {
    operator = await startOperator();
  });
  afterAll(() => operator?.stop());

  it('is a wallet, or an operator of the rollup', async () => {
    const servedAt = (url: string) => findServed(createClient({ transport: http(url) }));
    expect(await servedAt(`${wallet.url}/rpc/v1/coin`)).toEqual({ service: 'wallet' });
    expect(await servedAt(operator.url)).toEqual({ service: 'rollup-operator' });
  });

  it('is named when a client of a node is wanted there', async () => {
    for (const [url, service] of [
      [`${wallet.url}/rpc/v1/coin`, 'wallet'],
      [operator.url, 'rollup-operator'],
    ] as const) {
      const created = createTetradClient({ url });
      await expect(created).rejects.toThrow(UnexpectedServiceError);
      await expect(created).rejects.toMatchObject({ service });
    }
  });
});
