import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCoinAddress } from '@tetrad/wallet-key';
import { bytesToSign } from '@tetrad/wallet-signing';
import { CID } from 'multiformats/cid';
import { readMessage } from '../../../src/rpc/wire-message.js';
import {
  BLS,
  SECP,
  startWallet,
  type HeldKey,
  type RpcAnswer,
  type RunningWallet,
} from '../../running-wallet.js';
import { BLS_VECTORS } from './bls-vectors.js';

/** The message COMMON and the keys behind WP-47 and WP-59 to WP-63 of `libs/wallet/signing/vectors`. */
const COMMON = {
  Version: 0,
  Nonce: 1,
  Value: '100000',
  GasLimit: 25000,
  GasFeeCap: '1',
  GasPremium: '1',
  Method: 0,
  Params: '',
};
const SENDER: HeldKey & { address: string } = {
  address: 'f1d2xrzcslx7xlbbylc5c3d5lvandqw4iwl6epxba',
  kind: 'secp256k1',
  privateKey: '8VcW07ADswS4BV2cxi5rnIadVsyTDDhY1NfDH19T8Uo=',
};
const TRANSFER = {
  ...COMMON,
  To: 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy',
  From: SENDER.address,
  GasLimit: 2500000,
};
const DELEGATED: HeldKey = { kind: 'delegated', privateKey: Buffer.alloc(32, 0x42).toString('base64') };

let wallet: RunningWallet;
let delegated: string;
beforeAll(async () => {
  const held = BLS_VECTORS.map(([, , privateKey]) => ({ kind: 'bls', privateKey }) as const);
  wallet = await startWallet([SECP, BLS, SENDER, DELEGATED, ...held]);
  const list = await wallet.result<string[]>('Coin.WalletList');
  delegated = list.find((address) => address.startsWith('f410f')) ?? '';
});
afterAll(() => wallet.stop());

const signMessage = (address: string, message: unknown): Promise<RpcAnswer> =>
  wallet.call('Coin.WalletSignMessage', [address, message]);
const lastRecord = async () => (await wallet.audit()).at(-1);

describe('Coin.WalletSignMessage', () => {
  it('gives the published signature of a transfer, the message as it came, and nothing else (WP-47)', async () => {
    const { result } = await signMessage(SENDER.address, TRANSFER);
    expect(result).toEqual({
      Message: TRANSFER,
      Signature: {
        Type: 1,
        Data: '0wRrFJZFIVh8m0JD+f5C55YrxD6YAWtCXWYihrPTKdMfgMhYAy86MVhs43hSLXnV+47UReRIe8qFdHRJqFlreAE=',
      },
    });
    expect(await lastRecord()).toMatchObject({
      content: 'message',
      cid: 'bafy2bzacedluvv7t2no5ujbuxtxi5mthioymz2wzorarxird736mz7wn3mucy',
      decision: 'done',
    });
  });

  it('signs version 0 when the message has none, and one in any letter case, as Go reads it (WP-47)', async () => {
    const { Version, ...withoutVersion } = TRANSFER;
    const lower = Object.entries(TRANSFER).map(([name, value]) => [name.toLowerCase(), value] as const);
    const { result: whole } = await signMessage(SENDER.address, TRANSFER);
    expect(Version).toBe(0);
    expect((await signMessage(SENDER.address, withoutVersion)).result).toEqual(whole);
    expect((await signMessage(SENDER.address, Object.fromEntries(lower))).result).toEqual(whole);
  });

  it('does not sign a message of which another reader takes another member', async () => {
    const answer = await signMessage(SENDER.address, { ...TRANSFER, value: '999' });
    expect(answer.error).toMatchObject({ code: -32602, data: { field: 'message.value' } });
  });

  it.each(BLS_VECTORS)('gives the published signature %s', async (_id, address, _key, cid, Data) => {
    const message = { ...COMMON, To: 't17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy', From: address };
    expect((await signMessage(address, message)).result).toEqual({
      Message: message,
      Signature: { Type: 2, Data },
    });
    expect((await lastRecord())?.cid).toBe(cid);
  });

  it.each([
    [
      'WP-48',
      't01002',
      25000,
      '1',
      7,
      'hFUB/R0PTfzX6Zr8uZqDJrfcRZ0yxihAB1gtglUB/R0PTfzX6Zr8uZqDJrfcRZ0yxihVAR6vHIpLv+6whwsXRbH1dQNHC3EW',
      '100000',
      'bafy2bzaceabfzthcsrvx445hx3vcgxyqf45d5ruzn2xplpb533og5sttes634',
    ],
    [
      'WP-49',
      't01004',
      1000000,
      '2500',
      2,
      'hFUB3+SRhNRq3I+J1EY4vrRfePytJZBDAAPoAEA=',
      '0',
      'bafy2bzacebofq6nh76ak2gpkdhz53357dqhw6pn24b2demrpqcacvspgjatqa',
    ],
  ])('signs the content id of %s', async (_id, To, GasLimit, fee, Method, Params, Value, cid) => {
    const message = {
      ...COMMON,
      To,
      From: SENDER.address,
      GasLimit,
      GasFeeCap: fee,
      GasPremium: fee,
      Method,
      Params,
      Value,
    };
    const { result } = (await signMessage(SENDER.address, message)) as { result: { Signature: unknown } };
    expect((await lastRecord())?.cid).toBe(cid);
    const bytes = Buffer.from(CID.parse(cid).bytes).toString('base64');
    expect(await wallet.result('Coin.WalletVerify', [SENDER.address, bytes, result.Signature])).toBe(true);
    expect(await wallet.result('Coin.WalletSign', [SENDER.address, bytes])).toEqual(result.Signature);
  });

  it('carries 64-bit integers in and out without loss', async () => {
    const body = `{"jsonrpc":"2.0","id":9007199254740993,"method":"Coin.WalletSignMessage","params":["${SENDER.address}",{"Version":11213758133386406978,"To":"f01157483643","From":"${SENDER.address}","Nonce":18446744073709551615,"Value":"38164833859141271395520522612114109479178310324742244683413474","GasLimit":9223372036854775807,"GasFeeCap":"16167912050521749707069396536","GasPremium":"0","Method":11918628191480157653,"Params":"G7o="}]}`;
    const { text } = await wallet.post(body);
    for (const part of [
      '"id":9007199254740993',
      '"Version":11213758133386406978',
      '"Nonce":18446744073709551615',
      '"GasLimit":9223372036854775807',
      '"Method":11918628191480157653',
      '"Value":"38164833859141271395520522612114109479178310324742244683413474"',
    ]) {
      expect(text).toContain(part);
    }
    expect((await lastRecord())?.message).toContain('"Nonce": 18446744073709551615');
  });

  it('keeps parameters as they came: absent, null or empty', async () => {
    const without: Record<string, unknown> = { ...TRANSFER };
    delete without['Params'];
    for (const message of [without, { ...without, Params: null }, TRANSFER]) {
      const { result } = (await signMessage(SENDER.address, message)) as { result: { Message: unknown } };
      expect(result.Message).toEqual(message);
    }
  });

  it('takes members in any letter case, and unknown ones as well', async () => {
    const lower = Object.fromEntries(
      Object.entries(TRANSFER).map(([key, value]) => [key.toLowerCase(), value]),
    );
    const { result } = await signMessage(SENDER.address, { ...lower, CID: { '/': 'bafy' } });
    expect(result).toMatchObject({ Message: TRANSFER });
  });

  it('signs the Ethereum transaction of a delegated sender', async () => {
    const message = { ...COMMON, To: delegated, From: delegated, Method: 3844450837 };
    const { result } = (await signMessage(delegated, message)) as { result: { Signature: { Type: number } } };
    expect(result.Signature.Type).toBe(3);
    const typed = readMessage({
      Version: 0n,
      To: delegated,
      From: delegated,
      Nonce: 1n,
      Value: 100000n,
      GasLimit: 25000n,
      GasFeeCap: 1n,
      GasPremium: 1n,
      Method: 3844450837n,
    });
    const bytes = Buffer.from(bytesToSign(typed, parseCoinAddress(delegated), 314n)).toString('base64');
    expect(await wallet.result('Coin.WalletVerify', [delegated, bytes, result.Signature])).toBe(true);
  });

  it.each([
    ['Method', { Method: 0 }, /invalid methodnum/],
    ['Version', { Version: 1, Method: 3844450837 }, /unsupported msg version: 1/],
    ['Params', { Method: 3844450837, Params: 'QA==' }, /non-empty params encode empty byte array/],
  ])('refuses from a delegated sender what Ethereum cannot say: %s', async (field, change, text) => {
    const message = { ...COMMON, To: delegated, From: delegated, ...change };
    expect((await signMessage(delegated, message)).error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(text),
      data: { reason: 'INVALID_COIN_MESSAGE', field: `message.${field}` },
    });
  });

  it('refuses a message from another sender, and records it (WP-45, WP-46)', async () => {
    const foreign = { ...TRANSFER, Version: 9, From: 't01234' };
    expect((await signMessage(SENDER.address, foreign)).error).toMatchObject({
      code: -32602,
      message: `'From' field f01234 is not the address that signs, ${SENDER.address}`,
      data: { reason: 'INVALID_COIN_MESSAGE', field: 'message.From' },
    });
    expect(await lastRecord()).toMatchObject({ decision: 'refused', reason: 'INVALID_COIN_MESSAGE' });
  });

  it('signs messages of any sender as the network’s own signers do when the operator says so (WP-46)', async () => {
    const open = await startWallet([SECP, BLS], ['--unchecked-messages']);
    const params =
      '{"Version":11213758133386406978,"To":"t01157483643","From":"t0269911794","Nonce":13117230712907131170,' +
      '"Value":"38164833859141271395520522612114109479178310324742244683413474","GasLimit":5168621066399406165,' +
      '"GasFeeCap":"16167912050521749707069396536",' +
      '"GasPremium":"-14648621342499321657422325578978005386855108954434874563422746186085866059298876960050856091161545992097",' +
      '"Method":11918628191480157653,' +
      '"Params":"G7omY+uWQuG6e/TLkSMzIywhushE/9F89AsXnE0P8dY="}';
    const signatures = [];
    for (const { address } of [SECP, BLS]) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"Coin.WalletSignMessage","params":["${address}",${params}]}`;
      const { result } = JSON.parse((await open.post(body)).text) as { result?: { Signature: unknown } };
      signatures.push(result?.Signature);
    }
    expect(signatures).toEqual([
      {
        Type: 1,
        Data: 'zLTEsPn1ul71hEoru6Eg9QtUAlky4x6zd2YceWoQHsFiZ+EVC5gRleBlFyiqTE8DToK3cqJOuSdVRJlxhD52WQA=',
      },
      {
        Type: 2,
        Data: 'po7T4yZ62bH/+MR7bgXQB+yDJHDZXnSAPTxR+v9W06pRVQYtGw1ZG2SoLMwemiVTCcFmvipPf/lQGUh0/GVl4dXCy3VTq4bUFai0zmWATIiW6nf0ugEd0fuRDd/ZMgel',
      },
    ]);
    expect(open.log()).toContain("'From' field f0269911794 is not the address that signs");
    expect((await open.audit()).at(-1)?.message).toContain('f0269911794');
    await open.stop();
  });

  it.each(['Value', 'GasFeeCap', 'GasPremium'])('refuses a negative %s', async (field) => {
    expect((await signMessage(SENDER.address, { ...TRANSFER, [field]: '-1' })).error).toMatchObject({
      code: -32602,
      message: `'${field}' field cannot be negative`,
      data: { field: `message.${field}` },
    });
  });

  it.each([
    ['Nonce', '18446744073709551616'],
    ['Nonce', '-1'],
    ['Nonce', '1.5'],
    ['Nonce', '"1"'],
    ['GasLimit', '9223372036854775808'],
    ['GasLimit', '-1'],
    ['Method', '-1'],
    ['Version', '18446744073709551616'],
    ['Value', '100'],
    ['Value', '""'],
    ['Value', '"1e3"'],
    ['Value', '"0x10"'],
    ['GasFeeCap', '" 1"'],
    ['Params', '"not base64"'],
    ['To', 'null'],
    ['From', '7'],
  ])('names the field: %s of %s', async (field, json) => {
    const members = Object.entries({ ...TRANSFER, [field]: undefined })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `"${key}":${JSON.stringify(value)}`);
    const message = `{${[...members, `"${field}":${json}`].join(',')}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"Coin.WalletSignMessage","params":["${SENDER.address}",${message}]}`;
    const { error } = JSON.parse((await wallet.post(body)).text) as RpcAnswer;
    expect(error).toMatchObject({ code: -32602, data: { field: `message.${field}` } });
  });

  it.each(['To', 'From', 'Nonce', 'Value', 'GasLimit', 'GasFeeCap', 'GasPremium', 'Method'])(
    'refuses a message without %s',
    async (field) => {
      const { error } = await signMessage(SENDER.address, { ...TRANSFER, [field]: undefined });
      expect(error).toMatchObject({ code: -32602, data: { field: `message.${field}` } });
    },
  );

  it.each([
    ['To', 'f1', 'Invalid Address length'],
    ['From', 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpr', "Filecoin address checksum doesn't match"],
  ])('names the bad address in %s', async (field, text, problem) => {
    expect((await signMessage(SENDER.address, { ...TRANSFER, [field]: text })).error).toMatchObject({
      code: -32700,
      message: `'${field}' field: ${problem}`,
      data: { field: `message.${field}` },
    });
  });

  it('refuses an address whose key is not held', async () => {
    const stranger = 'f17uoq6tp427uzv7fztkbsnn64iwotfrristwpryy';
    expect((await signMessage(stranger, { ...TRANSFER, From: stranger })).error).toMatchObject({
      code: -32700,
      message: 'No keys associated with supplied address',
    });
  });

  it.each([
    [{ Version: 1 }, "'Version' unsupported", 'Version'],
    [{ GasPremium: '2' }, "'GasFeeCap' less than 'GasPremium'", 'GasPremium'],
    [{ GasLimit: 0 }, "'GasLimit' field 0 must be positive", 'GasLimit'],
    [{ GasLimit: 10000000001 }, "'GasLimit' field cannot be greater than a block's gas limit", 'GasLimit'],
  ])('signs %j, unless it is held to the rules of the chain', async (change, message, field) => {
    expect((await signMessage(SENDER.address, { ...TRANSFER, ...change })).error).toBeUndefined();
    const strict = await startWallet([SENDER], ['--strict-messages']);
    const { error } = await strict.call('Coin.WalletSignMessage', [
      SENDER.address,
      { ...TRANSFER, ...change },
    ]);
    await strict.stop();
    expect(error).toMatchObject({ code: -32602, message, data: { field: `message.${field}` } });
  });
});
