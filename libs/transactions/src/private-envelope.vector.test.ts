import { describe, expect, it } from '@jest/globals';
import { keccak256, keccakHash, signDigest } from '@tetrad/crypto';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { encodeUnsignedPrivate, privateEnvelopeOf } from './private-envelope.js';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

/** Transactions V5 and V7 of a GoQuorum node, made by hand; layout: docs/spec/private-transactions.md#signatures */
const KEY = bytes('4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318');
const V1_HASH = bytes(
  'dfabc43a41f9311f96ea73c43115394663bf7596eb53681b0eff06967fb7c53e' +
    '517ccc1ced7523006604fd1586bb9f3796c6560b957ee575ab3cc4ed4f97e7b4',
);
const V7_HASH = bytes(
  '75902a24f8f3248a8c6d342506f018b2ef735bca0badecbaf7dc98b5799b3c8d' +
    'b4cc65f1a9294f29f018ce603cf93a212ebdde4a8f2d83d44a98eb97ffa690d6',
);
const CREATION = { gasPrice: 0n, gasLimit: 0x47b760n, value: 0n };

describe('the envelope of a private transaction', () => {
  it('signs and encodes a creation as in V5', () => {
    const envelope = privateEnvelopeOf({ ...CREATION, nonce: 0n, data: V1_HASH });
    const digest = keccak256(envelope.preimage());
    expect(hexFromBytes(digest)).toBe('0x567649dc04df9dfd104da0af2bc5e769d3daef3fee27e1e435f19d8293445d72');
    const raw = envelope.raw(signDigest(digest, KEY));
    expect(hexFromBytes(raw)).toBe(
      `0xf88d80808347b7608080b840${Buffer.from(V1_HASH).toString('hex')}25` +
        'a0e75efed14c7dac45fbb3d1b08c14a772a5fca266e4d88cfbd7ad7d7d15da9e8f' +
        'a06dc1d2f18b58265354d97e09399eb0585d9091f8aa22f9c1486e36d80ce7061d',
    );
    expect(keccakHash(raw)).toBe('0x790a8ea4ed7daeecd980b8afafe6b91e9c19a12cb456571b5b64df494f4afc94');
  });

  it('encodes an unsigned creation as in V7', () => {
    const raw = encodeUnsignedPrivate({ ...CREATION, nonce: 2n, data: V7_HASH });
    expect(hexFromBytes(raw)).toMatch(/^0xf84d02808347b7608080b840.*258080$/);
    expect(keccakHash(raw)).toBe('0xc0bbb6326ebafb7b0b18cf85d7b93e73ec8ae72b1c8d043d77d7ac5fecd9ccb5');
  });

  it('names the target of a call', () => {
    const to = parseAddress(`0x${'ab'.repeat(20)}`);
    const raw = encodeUnsignedPrivate({ ...CREATION, nonce: 2n, to, data: V7_HASH });
    expect(hexFromBytes(raw)).toContain(`94${'ab'.repeat(20)}`);
  });
});
