import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageContentId } from '@tetrad/wallet-signing';
import { readMessage } from '../../../src/rpc/wire-message.js';
import { BLS, SECP, startWallet, type RunningWallet } from '../../running-wallet.js';

const hex = (text: string) => Buffer.from(text, 'hex').toString('base64');

/** WP-43 and WP-44 of `libs/wallet/key/vectors/signature`. */
const DELEGATED = [
  [
    'WP-43',
    'f410fklfi47ki2glgsrqwodd4y3b7indq7qih5bt7twq',
    '02f08401df5e76038502540be400843b9aca008398968094ff000000000000000000000000000000000003f2832dc6c080c0',
    'cf1fa52fae9154ba21d67aeca9b42adfe186eb9e426c441051a8473efd1908480e6c8c79ffaf35fb8f136c8cf6c5656f1f3befad21f2644321aa6dba58d6873700',
  ],
  [
    'WP-44',
    'f410fhfd5ei74kqk7ipvatgdgvnrldvgthaknk7hb3xq',
    '02f1030185012a05f2008504a817c800825208942b87d1cb599bc2a606db9a0169fcec96af04ad3a880de0b6b3a764000080c0',
    '479ff7fa64cf8bf641eb81635d1e8a698530d2f219951d234539e6d0748195294b6146d27be50cdbb2853ba9a42f207af8d730272f1ebe9c9a78aeef1d6aa92400',
  ],
] as const;

let wallet: RunningWallet;
beforeAll(async () => {
  wallet = await startWallet();
});
afterAll(() => wallet.stop());

const verify = (...params: readonly unknown[]) => wallet.call('Coin.WalletVerify', params);
const SIGNED = {
  secp: {
    Type: 1,
    Data: '4ZDlbvzXtjFnGAnkmnAXImN7KmE+OdW3KbCn+UIHJwY3hEbodjS0VIVBiPUxRWbhJOMao3Sx7GWb4myEsYouJgA=',
  },
  bls: {
    Type: 2,
    Data: 'p/LeJS8KPzuOco2qpqjhvJxFrA5qj++LpeVoActWkDRQTLhuGsnwAvY1kluQ6PntAqISjvR/RU0kzgkR38F8Hm5NuNPsu9/BEiU+IQheNeD7OoG8THq4OuZMbISg7uR/',
  },
};

describe('Coin.WalletVerify', () => {
  it('is true for addresses whose keys the wallet does not hold (WP-68)', async () => {
    expect((await verify(SECP.address, 'NDI=', SIGNED.secp)).result).toBe(true);
    expect((await verify(BLS.address, 'NDI=', SIGNED.bls)).result).toBe(true);
  });

  it.each(DELEGATED)(
    'verifies the signature of a delegated address, %s',
    async (_id, address, data, signature) => {
      const signed = { Type: 3, Data: hex(signature) };
      expect((await verify(address, hex(data), signed)).result).toBe(true);
      expect((await verify(address, hex(`${data}00`), signed)).result).toBe(false);
    },
  );

  it('verifies the published signature of a message from an id address (WP-45)', async () => {
    const message = readMessage({
      Version: 9n,
      To: 't01234',
      From: 't01234',
      Nonce: 42n,
      Value: 0n,
      GasLimit: 9n,
      GasFeeCap: 0n,
      GasPremium: 0n,
      Method: 1n,
      Params: Buffer.from('byte array'),
    });
    const data = Buffer.from(messageContentId(message)).toString('base64');
    const Data = 'iuG3q2djl4cRYKXBIvjf5bMgVIyOmgsNZQUDJLJH8aV5aAHmtACKILADp8lNvHK8Tg8bYCi8mNFYAI4/cABOJQA=';
    expect((await verify('f1m6d6ctugvj4ipiiv3hpz7a3y4lwlzhzg5t22fvy', data, { Type: 1, Data })).result).toBe(
      true,
    );
  });

  it.each([
    [
      'secp256k1',
      SECP.address,
      1,
      'zLTEsPn1ul71hEoru6Eg9QtUAlky4x6zd2YceWoQHsFiZ+EVC5gRleBlFyiqTE8DToK3cqJOuSdVRJlxhD52WQA=',
    ],
    [
      'BLS',
      BLS.address,
      2,
      'po7T4yZ62bH/+MR7bgXQB+yDJHDZXnSAPTxR+v9W06pRVQYtGw1ZG2SoLMwemiVTCcFmvipPf/lQGUh0/GVl4dXCy3VTq4bUFai0zmWATIiW6nf0ugEd0fuRDd/ZMgel',
    ],
  ])(
    'verifies %s signatures of the message with 64-bit extremes (WP-46)',
    async (_kind, address, Type, Data) => {
      const message = readMessage({
        Version: 11213758133386406978n,
        To: 't01157483643',
        From: 't0269911794',
        Nonce: 13117230712907131170n,
        GasLimit: 5168621066399406165n,
        Method: 11918628191480157653n,
        Value: 38164833859141271395520522612114109479178310324742244683413474n,
        GasFeeCap: 16167912050521749707069396536n,
        GasPremium:
          -14648621342499321657422325578978005386855108954434874563422746186085866059298876960050856091161545992097n,
        Params: Buffer.from('G7omY+uWQuG6e/TLkSMzIywhushE/9F89AsXnE0P8dY=', 'base64'),
      });
      const signed = Buffer.from(messageContentId(message)).toString('base64');
      expect((await verify(address, signed, { Type, Data })).result).toBe(true);
    },
  );

  it.each([
    ['other data', [SECP.address, 'NDM=', SIGNED.secp]],
    ['another key', ['f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy', 'NDI=', SIGNED.secp]],
    [
      'a signature that is cut short',
      [SECP.address, 'NDI=', { Type: 1, Data: SIGNED.secp.Data.slice(0, 84) }],
    ],
    ['no signature', [SECP.address, 'NDI=', { Type: 1, Data: '' }]],
    [
      'a BLS signature that is not a point',
      [BLS.address, 'NDI=', { Type: 2, Data: Buffer.alloc(96, 1).toString('base64') }],
    ],
    ['an id address, which has no key here', ['f01234', 'NDI=', SIGNED.secp]],
    ['an actor address', ['f2nuqrg7vuysaue2pistjjnt3fadsdzvyuatqtfei', 'NDI=', SIGNED.secp]],
  ])('is false for %s', async (_what, params) => {
    expect(await verify(...params)).toEqual({ jsonrpc: '2.0', id: 1, result: false });
  });

  it.each([
    [BLS.address, 1, 2],
    [SECP.address, 2, 1],
    [SECP.address, 0, 1],
    [SECP.address, 3, 1],
    [DELEGATED[0][1], 1, 3],
  ])('refuses a Type that does not fit the address (WP-69): %s with %i', async (address, Type, fitting) => {
    const { error } = await verify(address, 'NDI=', { Type, Data: SIGNED.secp.Data });
    expect(error).toMatchObject({
      code: -32603,
      message: `Type ${Type} does not fit f${address.slice(1)}, whose type is ${fitting}`,
      data: { reason: 'SIGNATURE_TYPE_MISMATCH', field: 'signature.Type' },
    });
  });

  it('takes parameters by name and members in any letter case', async () => {
    const { Type, Data } = SIGNED.secp;
    const params = { identifier: SECP.address, data: 'NDI=', signature: { type: Type, data: Data } };
    expect(await wallet.result('Coin.WalletVerify', params)).toBe(true);
  });

  it.each([
    ['address', -32700, ['f1', '', SIGNED.secp]],
    ['data', -32602, [SECP.address, '?', SIGNED.secp]],
    ['signature.Data', -32602, [SECP.address, '', { Type: 1, Data: '?' }]],
    ['signature.Data', -32602, [SECP.address, '', { Type: 1, Data: null }]],
    ['signature.Type', -32602, [SECP.address, '', { Type: '1', Data: '' }]],
    ['signature.Type', -32602, [SECP.address, '', { Type: 256, Data: '' }]],
    ['signature', -32602, [SECP.address, '']],
  ])('refuses a bad %s with %i', async (field, code, params) => {
    const { error } = await verify(...params);
    expect(error?.code).toBe(code);
    if (code === -32602) expect(error?.data?.['field']).toBe(field);
  });
});
