import { describe, expect, it } from '@jest/globals';
import { Transaction, TypedDataEncoder, getBytes, hashAuthorization, keccak256 } from 'ethers';
import { encodeRlp, rlpList } from '@tetrad/rlp';
import { recognizeEthEnvelope } from './eth-envelope.js';

const TO = '0x2b87d1cb599bc2a606db9a0169fcec96af04ad3a';
const BLOB_HASH = `0x01${'7'.repeat(62)}`;
const COMMON = { to: TO, nonce: 0, gasLimit: 21_000, value: 10n ** 18n };
const AUTHORIZATION = {
  address: TO,
  nonce: 1,
  chainId: 314,
  signature: { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, yParity: 0 as const },
};
const ACCESS_LIST = [{ address: TO, storageKeys: [`0x${'0'.repeat(64)}`] }];

/** What a key signs the hash of, by a library of the field. */
const unsigned = (fields: object) => getBytes(Transaction.from({ ...COMMON, ...fields }).unsignedSerialized);

const TRANSACTIONS: readonly (readonly [string, Uint8Array])[] = [
  ['homestead', unsigned({ type: 0, gasPrice: 1 })],
  ['homestead, free of charge', unsigned({ type: 0, gasPrice: 0, value: 0 })],
  ['homestead, of a contract', unsigned({ type: 0, gasPrice: 1, to: null, data: '0x6000' })],
  ['EIP-155', unsigned({ type: 0, gasPrice: 1, chainId: 314 })],
  ['EIP-155, of a contract', unsigned({ type: 0, gasPrice: 1, chainId: 314, to: null, data: '0x6000' })],
  ['type 1', unsigned({ type: 1, chainId: 314 })],
  ['type 1 with an access list', unsigned({ type: 1, chainId: 314, accessList: ACCESS_LIST })],
  ['type 2', unsigned({ type: 2, chainId: 314 })],
  ['type 2 with an access list', unsigned({ type: 2, chainId: 314, accessList: ACCESS_LIST })],
  ['type 3', unsigned({ type: 3, chainId: 314, maxFeePerBlobGas: 1, blobVersionedHashes: [BLOB_HASH] })],
  ['type 4', unsigned({ type: 4, chainId: 314, authorizationList: [AUTHORIZATION] })],
  ['a type to come', Uint8Array.of(0x7f, ...unsigned({ type: 2, chainId: 314 }).subarray(1))],
];

const list = (...items: readonly (Uint8Array | readonly Uint8Array[])[]) => encodeRlp(items);
const EMPTY = new Uint8Array(0);

describe('the envelopes of Ethereum', () => {
  it.each(TRANSACTIONS)('are transactions: %s', (_name, bytes) => {
    expect(recognizeEthEnvelope(bytes)).toBe('eth-transaction');
    expect(recognizeEthEnvelope(Buffer.concat([bytes, Uint8Array.of(0)]))).toBeUndefined();
    expect(recognizeEthEnvelope(bytes.subarray(0, -1))).toBeUndefined();
  });

  it('are distinguished from authorizations of code and from typed data', () => {
    const signed = list(Uint8Array.of(1, 58), getBytes(TO), Uint8Array.of(1));
    const authorization = Buffer.concat([Uint8Array.of(5), signed]);
    expect(recognizeEthEnvelope(authorization)).toBe('eth-authorization');
    expect(keccak256(authorization)).toBe(hashAuthorization({ address: TO, nonce: 1, chainId: 314 }));
    const typed = TypedDataEncoder.encode(
      { name: 'token' },
      { Permit: [{ name: 'to', type: 'address' }] },
      { to: TO },
    );
    expect(recognizeEthEnvelope(getBytes(typed))).toBe('eth-typed-data');
  });

  it.each<[string, Uint8Array]>([
    ['nothing', EMPTY],
    ['an empty list', Uint8Array.of(0xc0)],
    ['five fields', list(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY)],
    ['seven fields', list(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY)],
    ['a recipient of 19 bytes', list(EMPTY, EMPTY, EMPTY, new Uint8Array(19), EMPTY, EMPTY)],
    ['a nonce with a zero in front', list(Uint8Array.of(0, 1), EMPTY, EMPTY, EMPTY, EMPTY, EMPTY)],
    ['a value of 33 bytes', list(EMPTY, EMPTY, EMPTY, EMPTY, new Uint8Array(33).fill(1), EMPTY)],
    ['a list for the data', list(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, [])],
    ['a type with five fields', Buffer.concat([Uint8Array.of(2), list(EMPTY, EMPTY, EMPTY, EMPTY, EMPTY)])],
    ['text', Buffer.from('Sign in to example.org: 0x2b87d1cb599bc2a606db9a0169fcec96af04ad3a')],
    ['the text envelope of Ethereum', Buffer.from('\u0019Ethereum Signed Message:\n5hello')],
    ['a hash', Buffer.alloc(32, 0xf8)],
  ])('are not %s', (_name, bytes) => {
    expect(recognizeEthEnvelope(bytes)).toBeUndefined();
  });

  it('are looked for in linear time, however lists are nested', () => {
    let nested: Uint8Array = EMPTY;
    for (let depth = 0; depth < 2_000; depth++) nested = rlpList([nested]);
    expect(recognizeEthEnvelope(nested)).toBeUndefined();
    const brackets = new Uint8Array(1_000_000).fill(0xc1);
    for (const first of [0xc1, 0x01, 0x02, 0x05]) {
      brackets[0] = first;
      expect(recognizeEthEnvelope(brackets)).toBeUndefined();
    }
    const items = rlpList([new Uint8Array(1_000_000)]);
    expect(recognizeEthEnvelope(items)).toBeUndefined();
  });
});
