import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, encodeSignature65, keccak256, signDigest } from '@tetrad/crypto';
import { rlpList, rlpScalar } from '@tetrad/rlp';
import { bytesFromHex, hexFromBytes, parseHash } from '@tetrad/types';
import {
  IBFT_CODES,
  decodeIbftMessage,
  decodeIbftSubject,
  encodeIbftMessage,
  encodeIbftSubject,
  encodeUnsignedIbftMessage,
  signIbftMessage,
} from './ibft-message.js';
import { decodeBody, decodeMessage } from './message-decoding.js';
import { encodeBody, encodeMessage } from './message-encoding.js';
import { preparePayload, roundChangePayload, signingDigest } from './message-signing.js';

const hex = (bytes: Uint8Array) => hexFromBytes(bytes).slice(2);
const bytes = (text: string) => bytesFromHex(`0x${text}`);
const privateKey = bytes('01'.padStart(64, '0'));
const A1 = addressFromPrivateKey(privateKey);
const sign = (digest: Uint8Array) => encodeSignature65(signDigest(digest, privateKey));
const limits = { formatAt: () => 'qbft' as const, maxBytes: 10_000, maxNested: 10 };

describe('8: the IBFT PREPARE of key 1', () => {
  const digest = parseHash('0x7b81dfdbbf5aed2274fee865837941f5d388c14f1f22163eaabffde8b8aad6d1');
  const subject = 'e4c28001a07b81dfdbbf5aed2274fee865837941f5d388c14f1f22163eaabffde8b8aad6d1';
  const unsigned = `f83e01a5${subject}947e5f4552091a69125d5dfcb7b8c2659029395bdf8080`;
  const signature =
    '209e4b02381f043d1a6649691f43c3741718ca7f80697ec1226a42be457b28b72cb59f85a525c656776578870d2771b4d583991216b161bb2daa76329dc4c0f700';
  const message = {
    code: IBFT_CODES.prepare,
    body: bytes(subject),
    sender: A1,
    committedSeal: new Uint8Array(0),
  };

  it('has the published subject, preimage and signature', () => {
    expect(hex(encodeIbftSubject({ height: 1, round: 0 }, digest))).toBe(subject);
    expect(hex(encodeUnsignedIbftMessage(message))).toBe(unsigned);
    expect(hex(signIbftMessage(message, privateKey).signature)).toBe(signature);
  });

  it('is read back with its sender from the bytes', () => {
    const encoded = encodeIbftMessage({ ...message, signature: bytes(signature) });
    const decoded = decodeIbftMessage(encoded);
    expect(decoded.sender).toBe(A1);
    expect(decodeIbftSubject(decoded.body)).toEqual({ height: 1, round: 0, digest });
    expect(hex(encodeIbftMessage(decoded))).toBe(hex(encoded));
  });

  it('is refused when another one is named as the sender', () => {
    const other = addressFromPrivateKey(bytes('02'.padStart(64, '0')));
    const forged = encodeIbftMessage({ ...message, sender: other, signature: bytes(signature) });
    expect(() => decodeIbftMessage(forged)).toThrow('message not signed by the sender');
  });

  it('names the round before the sequence, and zeros for a round change', () => {
    expect(hex(encodeIbftSubject({ height: 5, round: 2 }))).toBe(`e4c20205a0${'00'.repeat(32)}`);
  });
});

describe('10: QBFT messages of key 1', () => {
  const digest = parseHash('0x33bed65ac3da34121056698845e05c0487e61e481d780cd0f4ed1af96d624e12');
  const prepare =
    'f867e30180a033bed65ac3da34121056698845e05c0487e61e481d780cd0f4ed1af96d624e12b841fde8538c496307454d4080780f7e4f14ce0f256dae9a02bdce63c0dc4a47593e40fbd0a8f33b68f5db1da18ee4c2598a29a27690a24fe8d023b3a1c7b423983c00';
  const roundChange =
    'f84bf847c30101c0b841e86760feb33b86f6db9e76d3501cb40bb1b0cbfcd3b0da0a3dc538f459d1958642304e1a084ad20f796c813e992379d5efc35e4227540656e3be683fc31ba5e901c0c0';

  it('a PREPARE has the published preimage and bytes', () => {
    const payload = preparePayload({ height: 1, round: 0, digest });
    const preimage = 'e513e30180a033bed65ac3da34121056698845e05c0487e61e481d780cd0f4ed1af96d624e12';
    expect(hex(rlpList([rlpScalar(0x13), payload]))).toBe(preimage);
    expect(signingDigest('prepare', payload)).toEqual(keccak256(bytes(preimage)));
    const signature = sign(signingDigest('prepare', payload));
    expect(hex(encodeBody({ kind: 'prepare', height: 1, round: 0, digest, signature, sender: A1 }))).toBe(
      prepare,
    );
  });

  it('a PREPARE is read from the published bytes', () => {
    const message = decodeBody('prepare', bytes(prepare), limits);
    expect(message).toMatchObject({ kind: 'prepare', height: 1, round: 0, digest, sender: A1 });
    expect(hex(encodeBody(message))).toBe(prepare);
  });

  it('an unprepared ROUND-CHANGE has the published preimage and bytes', () => {
    const payload = roundChangePayload({ height: 1, round: 1 });
    expect(hex(rlpList([rlpScalar(0x15), payload]))).toBe('c515c30101c0');
    const signature = sign(signingDigest('roundChange', payload));
    const message = {
      kind: 'roundChange' as const,
      height: 1,
      round: 1,
      signature,
      sender: A1,
      prepares: [],
    };
    expect(hex(encodeBody(message))).toBe(roundChange);
  });

  it('an unprepared ROUND-CHANGE is read from the published bytes', () => {
    const message = decodeBody('roundChange', bytes(roundChange), limits);
    expect(message).toMatchObject({ kind: 'roundChange', height: 1, round: 1, sender: A1, prepares: [] });
    expect(message).not.toHaveProperty('prepared');
    expect(message).not.toHaveProperty('block');
    expect(hex(encodeBody(message))).toBe(roundChange);
  });

  it('travels between nodes behind its code', () => {
    const message = decodeMessage(bytes(`13${prepare}`), limits);
    expect(hex(encodeMessage(message))).toBe(`13${prepare}`);
  });
});
