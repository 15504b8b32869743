import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { delegatedFromEthAddress, parseCoinAddress } from '@tetrad/wallet-key';
import { encodeCoinMessage } from './message/message-codec.js';
import { bytesToSign } from './message/signed-bytes.js';
import { formatContentId, messageContentId } from './message/content-id.js';
import type { CoinMessage } from './message/coin-message.js';
import { checkData, type DataMeta } from './data-rules.js';
import type { SigningPolicy } from './signing-policy.js';

const SIGNER = parseCoinAddress('f1d2xrzcslx7xlbbylc5c3d5lvandqw4iwl6epxba');
const DELEGATED = delegatedFromEthAddress(parseAddress('0x2b87d1cb599bc2a606db9a0169fcec96af04ad3a'));
const MESSAGE: CoinMessage = {
  version: 0n,
  to: DELEGATED,
  from: SIGNER,
  nonce: 1n,
  value: 5n,
  method: 3844450837n,
  gasLimit: 25_000n,
  gasFeeCap: 2n,
  gasPremium: 1n,
  params: new Uint8Array(0),
};
const CBOR = encodeCoinMessage(MESSAGE);
const CONTENT_ID = messageContentId(MESSAGE);
const CID = formatContentId(CONTENT_ID);

function check(
  data: Uint8Array,
  {
    meta,
    signer = SIGNER,
    ...change
  }: { meta?: DataMeta; signer?: typeof SIGNER } & Partial<SigningPolicy> = {},
) {
  const policy: SigningPolicy = {
    network: 'main',
    delegatedChainId: 314n,
    allowBlindSign: false,
    requireMessageMeta: false,
    strictMessages: false,
    uncheckedMessages: false,
    ...change,
  };
  return checkData(data, meta, { signer, policy });
}
const mismatch = { code: 'MESSAGE_META_MISMATCH' };

describe('data to sign', () => {
  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', Buffer.from('hello')],
    ['a hash', Buffer.alloc(32, 7)],
    ['a message cut short', CBOR.subarray(0, -1)],
    ['a message with a byte behind it', Buffer.concat([CBOR, Buffer.of(0)])],
  ])('that is not a message of the chain is signed: %s', (_what, data) => {
    expect(check(data)).toEqual({ content: 'data' });
    expect(check(data, { meta: { type: 'block' }, requireMessageMeta: true })).toEqual({ content: 'data' });
  });

  it.each([
    ['the bytes of a message', CBOR],
    ['the Ethereum transaction of a message', bytesToSign({ ...MESSAGE, from: DELEGATED }, DELEGATED, 314n)],
  ])('that is %s is refused unless blind signing is allowed', (_what, data) => {
    expect(check(data)).toMatchObject({
      content: 'chain-message',
      rejection: { code: 'BLIND_SIGNING_REFUSED' },
    });
    expect(check(data, { meta: { type: 'unknown' } }).rejection?.code).toBe('BLIND_SIGNING_REFUSED');
    expect(check(data, { allowBlindSign: true })).toEqual({ content: 'chain-message' });
  });

  it('that is a bare content id is signed unless the message must come with it', () => {
    expect(check(CONTENT_ID)).toEqual({ content: 'message-cid', cid: CID });
    expect(check(CONTENT_ID, { requireMessageMeta: true })).toMatchObject({
      cid: CID,
      rejection: { code: 'MESSAGE_META_REQUIRED' },
    });
  });
});

describe('data that comes with its message', () => {
  const meta = { type: 'message', extra: CBOR };

  it('is signed when it is that message’s content id, for any sender', () => {
    const found = { content: 'message', cid: CID, message: MESSAGE };
    expect(check(CONTENT_ID, { meta, requireMessageMeta: true })).toEqual(found);
    const foreign = { ...MESSAGE, from: DELEGATED };
    const signed = check(messageContentId(foreign), {
      meta: { type: 'message', extra: encodeCoinMessage(foreign) },
    });
    expect(signed.rejection).toBeUndefined();
  });

  it('is the Ethereum transaction for a delegated signer, on the chain of the policy', () => {
    const data = bytesToSign(MESSAGE, DELEGATED, 314n);
    expect(check(data, { meta, signer: DELEGATED }).rejection).toBeUndefined();
    expect(check(data, { meta, signer: DELEGATED, delegatedChainId: 1n }).rejection).toMatchObject(mismatch);
    expect(check(CONTENT_ID, { meta, signer: DELEGATED }).rejection).toMatchObject(mismatch);
  });

  it.each<[string, Uint8Array, DataMeta]>([
    ['other data', Buffer.from('hello'), meta],
    ['the message itself', CBOR, meta],
    ['another message', CONTENT_ID, { ...meta, extra: encodeCoinMessage({ ...MESSAGE, nonce: 2n }) }],
    ['no message', CONTENT_ID, { type: 'message' }],
    ['an empty message', CONTENT_ID, { ...meta, extra: new Uint8Array(0) }],
    ['null', CONTENT_ID, { ...meta, extra: null }],
    ['bytes that are not a message', CONTENT_ID, { ...meta, extra: Buffer.from('hello') }],
  ])('is refused with %s, blind signing or not', (_what, data, given) => {
    const { content, rejection } = check(data, { meta: given, allowBlindSign: true });
    expect(content).toBe('message');
    expect(rejection).toMatchObject({ ...mismatch, data: { detail: expect.any(String) } });
  });

  it('is held to the rules of the chain when the operator is strict', () => {
    const broken = { ...MESSAGE, gasPremium: 9n };
    const given = { type: 'message', extra: encodeCoinMessage(broken) };
    const data = messageContentId(broken);
    expect(check(data, { meta: given }).rejection).toBeUndefined();
    expect(check(data, { meta: given, strictMessages: true }).rejection).toMatchObject({
      code: 'INVALID_COIN_MESSAGE',
      data: { field: 'meta.Extra.GasPremium' },
    });
  });
});
