import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, changePassphrase } from '@tetrad/wallet-signing';
import { TypedDataEncoder } from 'ethers/hash';
import { Transaction } from 'ethers/transaction';
import { concat, encodeRlp, getBytes } from 'ethers/utils';
import { BLS, SECP, base64, startWallet, type RpcAnswer, type RunningWallet } from '../../running-wallet.js';

/** WP-09 of `libs/wallet/key/vectors`. */
const OTHER_BLS = {
  address: 'f3tcoti4s2fp6d6fiql47v7sdud5bwyjpod3spssheexllzogfnphg4bwcnfrvw7uylj77uy46eqe36xecyo6a',
  kind: 'bls',
  privateKey: 'NQ+kzC46f4wVlkFaFknD9SkpivKt4nek/i/IhkMi4j4=',
} as const;
/** WP-47 of `libs/wallet/signing/vectors`: the message's CBOR, and the id of it. */
const CBOR = Buffer.from(
  '8a005501fd1d0f4dfcd7e99afcb99a8326b7dc459d32c62855011eaf1c8a4bbfeeb0870b1745b1f57503470b71160144000186a01a002625a04200014200010040',
  'hex',
);
const CID = 'bafy2bzacedluvv7t2no5ujbuxtxi5mthioymz2wzorarxird736mz7wn3mucy';
/** An unsigned Ethereum transaction, WP-43. */
const ETH_PAYLOAD =
  '02f08401df5e76038502540be400843b9aca008398968094ff000000000000000000000000000000000003f2832dc6c080c0';
/** Whose signatures over the hash of a payload an Ethereum chain takes. */
const DELEGATED = { kind: 'delegated', privateKey: Buffer.alloc(32, 0x42).toString('base64') } as const;
const TO = '0x2b87d1cb599bc2a606db9a0169fcec96af04ad3a';
const AUTHORIZATION = {
  address: TO,
  nonce: 1,
  chainId: 314,
  signature: { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, yParity: 0 as const },
};
const BLOBS = { maxFeePerBlobGas: 1, blobVersionedHashes: [`0x01${'7'.repeat(62)}`] };
const ACCESS_LIST = { accessList: [{ address: TO, storageKeys: [`0x${'0'.repeat(64)}`] }] };
const unsigned = (fields: object) =>
  Transaction.from({ to: TO, nonce: 0, gasLimit: 21_000, value: 10n ** 18n, ...fields }).unsignedSerialized;
const permit = () =>
  TypedDataEncoder.encode(
    { name: 'token' },
    { Permit: [{ name: 'spender', type: 'address' }] },
    { spender: TO },
  );
const UNKNOWN = 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy';

let wallet: RunningWallet;
let contentId: string;
beforeAll(async () => {
  wallet = await startWallet([SECP, BLS, OTHER_BLS, DELEGATED]);
  contentId = Buffer.from(contentIdOf(CBOR)).toString('base64');
});
afterAll(() => wallet.stop());

const sign = (...params: readonly unknown[]): Promise<RpcAnswer> => wallet.call('Coin.WalletSign', params);

describe('Coin.WalletSign', () => {
  it.each([
    [
      'WP-37',
      SECP.address,
      'NDI=',
      1,
      '4ZDlbvzXtjFnGAnkmnAXImN7KmE+OdW3KbCn+UIHJwY3hEbodjS0VIVBiPUxRWbhJOMao3Sx7GWb4myEsYouJgA=',
    ],
    [
      'WP-38',
      BLS.address,
      'NDI=',
      2,
      'p/LeJS8KPzuOco2qpqjhvJxFrA5qj++LpeVoActWkDRQTLhuGsnwAvY1kluQ6PntAqISjvR/RU0kzgkR38F8Hm5NuNPsu9/BEiU+IQheNeD7OoG8THq4OuZMbISg7uR/',
    ],
    [
      'WP-39',
      OTHER_BLS.address,
      'AXGg5AIgHcAXcu4BcfX2FMZz48f6EQeoz3J731ptrbN56TwNHQA=',
      2,
      'q0W3UuG3QMINVt2cbPjpMwyRHFI/MYrafH1FI3Kt1m5Zg+P6nNHvY+9vdi3k0Md8CppDT44NMp5DMPRnu7JVNVtmMVgfN22cvFl4TLSaJik3f8hfmxt6P4124iDDJsaq',
    ],
  ])('gives the published signature %s', async (_id, address, data, Type, Data) => {
    expect((await sign(address, data)).result).toEqual({ Type, Data });
    expect(await wallet.result('Coin.WalletVerify', [address, data, { Type, Data }])).toBe(true);
  });

  it('signs empty data, data by name, and in a batch', async () => {
    const empty = (await sign(SECP.address, '')).result;
    expect(await wallet.result('Coin.WalletVerify', [SECP.address, '', empty])).toBe(true);
    expect(await wallet.result('Coin.WalletSign', { identifier: SECP.address, data: '' })).toEqual(empty);
    const call = { jsonrpc: '2.0', method: 'Coin.WalletSign', params: [SECP.address, ''] };
    const { text } = await wallet.post(
      JSON.stringify([
        { ...call, id: 1 },
        { ...call, id: 2 },
      ]),
    );
    expect((JSON.parse(text) as RpcAnswer[]).map(({ result }) => result)).toEqual([empty, empty]);
  });

  it('is there under the older path, and under the name that clients have for the namespace', async () => {
    const path = '/rpc/v0';
    expect(await wallet.call('Coin.WalletSign', [SECP.address, ''], { path })).toHaveProperty(
      'result.Type',
      1,
    );
    expect((await wallet.call('Filecoin.WalletSign', [SECP.address, ''])).error?.code).toBe(-32601);
    const aliased = await startWallet([SECP], ['--rpc-alias', 'Filecoin=Coin']);
    expect(await aliased.result('Filecoin.WalletSign', [SECP.address, ''])).toHaveProperty('Type', 1);
    expect(await aliased.result('Coin.WalletSign', [SECP.address, ''])).toHaveProperty('Type', 1);
    await aliased.stop();
  });

  it('signs the bare content id of a message, as nodes send it, and records what it is', async () => {
    expect((await sign(SECP.address, contentId)).result).toHaveProperty('Type', 1);
    expect((await wallet.audit()).at(-1)).toMatchObject({
      caller: 'anonymous',
      action: 'sign',
      content: 'message-cid',
      cid: CID,
      decision: 'done',
    });
  });

  it('signs the content id of the message in its meta, and records the message', async () => {
    const meta = { Type: 'message', Extra: CBOR.toString('base64') };
    expect((await sign(SECP.address, contentId, meta)).result).toHaveProperty('Type', 1);
    const record = (await wallet.audit()).at(-1);
    expect(record).toMatchObject({ content: 'message', cid: CID, decision: 'done' });
    expect(JSON.parse(record?.message ?? '')).toMatchObject({ Nonce: 1, Value: '100000', GasLimit: 2500000 });
    expect(
      (await sign(SECP.address, contentId, { type: 'message', extra: meta.Extra })).error,
    ).toBeUndefined();
  });

  it.each(['unknown', 'block', 'dealproposal', 'something new'])('signs data said to be %s', async (Type) => {
    expect((await sign(SECP.address, base64('x'), { Type, Extra: null })).result).toHaveProperty('Type', 1);
  });

  it.each([
    ['other data', base64('x'), CBOR.toString('base64')],
    ['another message', undefined, CBOR.toString('base64').replace('igBV', 'igFV')],
    ['no message', undefined, null],
    ['bytes that are not a message', undefined, base64('x')],
  ])('refuses meta that does not match the data: %s', async (_what, data, Extra) => {
    const { error } = await sign(SECP.address, data ?? contentId, { Type: 'message', Extra });
    expect(error).toMatchObject({
      code: -32603,
      message: "Message invalid the data to sign doesn't match the CID of MsgMeta.extra",
      data: { reason: 'MESSAGE_META_MISMATCH' },
    });
    expect((await wallet.audit()).at(-1)).toMatchObject({
      decision: 'refused',
      reason: 'MESSAGE_META_MISMATCH',
    });
  });

  it.each([
    ['the bytes of a message', CBOR],
    ['an Ethereum transaction', Buffer.from(ETH_PAYLOAD, 'hex')],
  ])('refuses to sign %s blindly, and names the method to use', async (_what, bytes) => {
    const { error } = await sign(SECP.address, bytes.toString('base64'));
    expect(error).toMatchObject({ code: -32000, data: { reason: 'BLIND_SIGNING_REFUSED' } });
    expect(error?.message).toMatch(/Coin\.WalletSignMessage.*--allow-blind-sign/);
    expect((await wallet.audit()).at(-1)).toMatchObject({
      content: 'chain-message',
      decision: 'refused',
      reason: 'BLIND_SIGNING_REFUSED',
    });
  });

  it.each([
    ['homestead transaction', 'eth-transaction', unsigned({ type: 0, gasPrice: 1 })],
    ['homestead creation', 'eth-transaction', unsigned({ type: 0, gasPrice: 0, to: null, data: '0x60' })],
    ['EIP-155 transaction', 'eth-transaction', unsigned({ type: 0, gasPrice: 1, chainId: 314 })],
    ['type 1 transaction', 'eth-transaction', unsigned({ type: 1, gasPrice: 1, chainId: 314 })],
    ['type 2 transaction', 'chain-message', unsigned({ type: 2, chainId: 314 })],
    ['type 2 with a list', 'eth-transaction', unsigned({ type: 2, chainId: 314, ...ACCESS_LIST })],
    ['type 3 transaction', 'eth-transaction', unsigned({ type: 3, chainId: 314, ...BLOBS })],
    [
      'type 4 transaction',
      'eth-transaction',
      unsigned({ type: 4, chainId: 314, authorizationList: [AUTHORIZATION] }),
    ],
    ['authorization of code', 'eth-authorization', concat(['0x05', encodeRlp(['0x013a', TO, '0x01'])])],
    ['permit', 'eth-typed-data', permit()],
  ])('refuses to sign an Ethereum %s blindly with a delegated key', async (_what, content, hex) => {
    const delegated = (await wallet.result<string[]>('Coin.WalletList')).find((one) =>
      one.startsWith('f410f'),
    );
    const data = Buffer.from(getBytes(hex)).toString('base64');
    for (const meta of [undefined, { Type: 'unknown', Extra: null }]) {
      const { error } = await sign(delegated, data, ...(meta === undefined ? [] : [meta]));
      expect(error).toMatchObject({ code: -32000, data: { reason: 'BLIND_SIGNING_REFUSED' } });
      expect((await wallet.audit()).at(-1)).toMatchObject({ content, decision: 'refused' });
    }
  });

  it('signs it blindly when the operator says so', async () => {
    const open = await startWallet([SECP], ['--allow-blind-sign']);
    const params = [SECP.address, CBOR.toString('base64')];
    expect(await open.result('Coin.WalletSign', params)).toHaveProperty('Type', 1);
    expect((await open.audit()).at(-1)).toMatchObject({ content: 'chain-message', decision: 'done' });
    await open.stop();
  });

  it('refuses a bare content id when the operator wants to see messages', async () => {
    const strict = await startWallet([SECP], ['--require-message-meta', '--strict-messages']);
    const { error } = await strict.call('Coin.WalletSign', [SECP.address, contentId]);
    expect(error).toMatchObject({ code: -32000, data: { reason: 'MESSAGE_META_REQUIRED' } });
    const meta = { Type: 'message', Extra: CBOR.toString('base64') };
    expect(await strict.result('Coin.WalletSign', [SECP.address, contentId, meta])).toHaveProperty('Type', 1);
    await strict.stop();
  });

  it.each([UNKNOWN, 'f01234'])('refuses an address without a key: %s', async (address) => {
    expect((await sign(address, 'NDI=')).error).toMatchObject({
      code: -32700,
      message: 'No keys associated with supplied address',
      data: { reason: 'NO_KEYS_FOR_ADDRESS' },
    });
    expect((await wallet.audit()).at(-1)).toMatchObject({
      decision: 'refused',
      reason: 'NO_KEYS_FOR_ADDRESS',
    });
  });

  it('refuses a bad address with the text of other signers (WP-67)', async () => {
    expect((await sign('f1', '')).error).toMatchObject({ code: -32700, message: 'Invalid Address length' });
  });

  it.each([
    ['data', [SECP.address, 'not base64']],
    ['data', [SECP.address, 'NDI']],
    ['data', [SECP.address, 'ND_=']],
    ['data', [SECP.address, 7]],
    ['data', [SECP.address]],
    ['address', [7, '']],
    ['meta', [SECP.address, '', 'message']],
    ['meta.Extra', [SECP.address, '', { Type: 'message', Extra: '?' }]],
    ['meta.Type', [SECP.address, '', {}]],
    ['params', [SECP.address, '', null, 1]],
  ])('names the bad parameter %s of %j', async (field, params) => {
    expect((await sign(...params)).error).toMatchObject({ code: -32602, data: { field } });
  });

  it('names a damaged row and signs with the other keys', async () => {
    const damaged = await startWallet([SECP, BLS]);
    await damaged.database.pool.query(
      'UPDATE wallet_key SET sealed = set_byte(sealed, 7, get_byte(sealed, 7) # 1) WHERE kind = 1',
    );
    const { error } = await damaged.call('Coin.WalletSign', [SECP.address, '']);
    expect(error).toMatchObject({
      code: -32603,
      message: `the stored key of f${SECP.address.slice(1)} is damaged`,
      data: { reason: 'DAMAGED_KEY' },
    });
    await damaged.database.pool.query("UPDATE wallet_key SET cipher = 'none' WHERE kind = 1");
    expect((await damaged.call('Coin.WalletSign', [SECP.address, ''])).error?.data?.['reason']).toBe(
      'DAMAGED_KEY',
    );
    expect(await damaged.result('Coin.WalletSign', [BLS.address, ''])).toHaveProperty('Type', 2);
    expect((await damaged.audit()).map(({ decision }) => decision)).toEqual(['refused', 'refused', 'done']);
    await damaged.stop();
  });

  it('signs no more with a key that it has just used once that is deleted, damaged or mended', async () => {
    const busy = await startWallet([SECP]);
    const outcome = async () => {
      const { error } = await busy.call('Coin.WalletSign', [SECP.address, '']);
      return error?.data?.['reason'] ?? 'signed';
    };
    const change = (statement: string) => busy.database.pool.query(statement);
    const flip = 'UPDATE wallet_key SET sealed = set_byte(sealed, 7, get_byte(sealed, 7) # 1)';
    const outcomes = [await outcome()];
    for (const statement of [flip, flip, 'DELETE FROM wallet_key']) {
      await change(statement);
      outcomes.push(await outcome());
    }
    await busy.hold(SECP);
    outcomes.push(await outcome());
    expect(outcomes).toEqual(['signed', 'DAMAGED_KEY', 'signed', 'NO_KEYS_FOR_ADDRESS', 'signed']);
    expect((await busy.audit()).map(({ reason }) => reason ?? 'signed')).toEqual(outcomes);
    await busy.stop();
  });

  it('says so when the passphrase was changed under it, and is not ready', async () => {
    const changed = await startWallet([SECP]);
    expect(await changed.result('Coin.WalletSign', [SECP.address, ''])).toHaveProperty('Type', 1);
    const requester = { caller: 'test', requestId: 'test' };
    await changePassphrase(changed, 'another one', { requester, cost: { n: 1024, r: 8, p: 1 } });
    expect((await changed.call('Coin.WalletSign', [SECP.address, ''])).error).toMatchObject({
      code: -32002,
      message: 'the passphrase of the wallet was changed; restart with the new one',
    });
    const ready = await fetch(`${changed.opsUrl}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining('passphrase was changed'),
    ]);
    await changed.stop();
  });
});
