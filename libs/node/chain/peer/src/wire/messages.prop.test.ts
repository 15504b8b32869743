import { describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { hashFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { nodeIdFromBytes } from '../identity/node-id.js';
import { decodeConsensusEnvelope, encodeConsensusEnvelope } from './consensus-envelope.js';
import {
  decodeChallenge,
  decodeHead,
  decodeProof,
  encodeChallenge,
  encodeHead,
  encodeProof,
} from './handshake-messages.js';
import { decodeIntroduction, encodeIntroduction, versionOf } from './introduction.js';
import { MAX_PUSH_MESSAGES, PUSH_KINDS, decodePush, encodePush } from './push-message.js';
import { decodeRejection, encodeRejection, REJECTIONS, type Rejection } from './rejection.js';
import {
  decodeEnodeTexts,
  decodeItems,
  decodeRequest,
  encodeItems,
  encodeRequest,
} from './request-message.js';
import { WireError } from './wire-fields.js';

const sized = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hash = sized(32).map(hashFromBytes);
const count = fc.nat();
const nodeId = fc
  .integer({ min: 1, max: 250 })
  .map((seed) => nodeIdFromBytes(publicKeyFromPrivateKey(new Uint8Array(32).fill(seed))));
const signature = fc.record({ r: sized(32), s: sized(32), parity: fc.constantFrom(0 as const, 1 as const) });
const versions = fc.constantFrom(
  { version: 1, oldest: 1 },
  { version: 2, oldest: 1 },
  { version: 2, oldest: 2 },
  { version: 3, oldest: 1 },
);
const introductionFields = fc.record({
  chainId: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
  genesisHash: hash,
  nodeId,
  peerId: nodeId,
  instance: sized(16),
  nonce: sized(32),
  ephemeral: sized(64),
  timestampMs: fc.maxSafeNat(),
  host: fc.constantFrom('127.0.0.1', '::1', 'node-0.nodes.example'),
  port: fc.integer({ min: 0, max: 65_535 }),
  name: fc.constantFrom('', 'Tetrad/v0.1.0/linux-x64/node20.20.0'),
});
const introduction = fc
  .tuple(versions, introductionFields)
  .map(([{ version, oldest }, fields]) => ({ version, ...fields, oldest }));
const push = fc.record({ kind: fc.constantFrom(...PUSH_KINDS), payload: fc.uint8Array({ maxLength: 100 }) });
const request = fc.oneof(
  fc.record({ kind: fc.constant('ping' as const), head: fc.record({ number: count, hash }) }),
  fc.record({
    kind: fc.constant('blocks' as const),
    from: fc.maxSafeNat(),
    limit: fc.nat(256),
    byteBudget: fc.nat(8 * 1024 * 1024),
  }),
  fc.record({ kind: fc.constant('transactions' as const), hashes: fc.array(hash, { maxLength: 20 }) }),
  fc.record({ kind: fc.constant('peers' as const) }),
);

/** Every message with how it is written and read. */
const messages: readonly [
  string,
  fc.Arbitrary<unknown>,
  (value: never) => Uint8Array,
  (bytes: Uint8Array) => unknown,
][] = [
  ['introduction', introduction, encodeIntroduction, decodeIntroduction],
  [
    'challenge',
    fc.record({ introduction: fc.uint8Array({ maxLength: 300 }), signature }),
    encodeChallenge,
    decodeChallenge,
  ],
  ['proof', fc.record({ nonce: sized(32), signature }), encodeProof, decodeProof],
  ['head', fc.record({ number: count, hash }), encodeHead, decodeHead],
  ['push', fc.array(push, { maxLength: 8 }), encodePush, decodePush],
  ['request', request, encodeRequest, decodeRequest],
  [
    'answer',
    fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 9 }),
    encodeItems,
    (bytes) => decodeItems(bytes, 9),
  ],
  [
    'consensus envelope',
    fc.record({ relay: fc.boolean(), message: fc.uint8Array() }),
    encodeConsensusEnvelope,
    decodeConsensusEnvelope,
  ],
];

const plain = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'bigint'
      ? String(one)
      : one instanceof Uint8Array
        ? Buffer.from(one).toString('hex')
        : one,
  );

describe.each(messages)('%s', (_, arbitrary, encode, decode) => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(plain(decode(encode(value as never)))).toBe(plain(value));
      }),
    );
  });

  it('is read from damaged bytes as another one or refused with WireError', () => {
    fc.assert(
      fc.property(arbitrary, fc.nat(), fc.nat(255), fc.boolean(), (value, at, byte, isCut) => {
        const bytes = Uint8Array.from(encode(value as never));
        if (bytes.length > 0) bytes[at % bytes.length] = byte;
        const damaged = isCut ? bytes.subarray(0, at % (bytes.length + 1)) : bytes;
        try {
          decode(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is refused with bytes after it', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        expect(() => decode(Buffer.concat([encode(value as never), Uint8Array.of(0)]))).toThrow(WireError);
      }),
      { numRuns: 10 },
    );
  });
});

describe('an introduction', () => {
  it('of version 1 has the twelve fields that nodes of that version read, and of version 2 one more', () => {
    fc.assert(
      fc.property(introductionFields, (fields) => {
        const [first, second] = [1, 2].map(
          (version) => RLP.decode(encodeIntroduction({ version, ...fields, oldest: 1 })) as Uint8Array[],
        );
        expect(first).toHaveLength(12);
        expect(second?.slice(1)).toEqual([...(first?.slice(1) ?? []), Uint8Array.of(1)]);
      }),
      { numRuns: 10 },
    );
  });
});

describe('input from a peer', () => {
  it('has a version that is known even when nothing else is', () => {
    expect(versionOf(RLP.encode([2, 'whatever', ['comes']]))).toBe(2);
    expect(versionOf(Uint8Array.of(1, 2, 3))).toBeUndefined();
  });

  it('has no more messages than allowed', () => {
    const one = { kind: 'hash', payload: new Uint8Array(1) } as const;
    expect(decodePush(encodePush(new Array(MAX_PUSH_MESSAGES).fill(one)))).toHaveLength(MAX_PUSH_MESSAGES);
    expect(() => decodePush(encodePush(new Array(MAX_PUSH_MESSAGES + 1).fill(one)))).toThrow(WireError);
  });

  it.each([
    ['a limit that is too high', [2, 1, 257, 10]],
    ['a byte budget that is too high', [2, 1, 1, 8 * 1024 * 1024 + 1]],
    ['more hashes than allowed', [3, new Array(257).fill(new Uint8Array(32))]],
    ['a field too many', [4, 1]],
    ['a code that is unknown', [9]],
  ])('is not a request with %s', (_, fields) => {
    expect(() => decodeRequest(RLP.encode(fields))).toThrow(WireError);
  });

  it('has no more items than requested', () => {
    expect(() => decodeItems(encodeItems([new Uint8Array(1), new Uint8Array(1)]), 1)).toThrow(WireError);
    expect(() => decodeEnodeTexts(RLP.encode(new Array(17).fill('enode://')))).toThrow(WireError);
    expect(() => decodeEnodeTexts(RLP.encode(['\u0007']))).toThrow(WireError);
  });

  it('is a known rejection, whatever the bytes', () => {
    for (const rejection of Object.keys(REJECTIONS))
      expect(decodeRejection(encodeRejection(rejection as Rejection))).toBe(rejection);
    fc.assert(fc.property(fc.uint8Array(), (bytes) => Object.hasOwn(REJECTIONS, decodeRejection(bytes))));
    expect(decodeRejection(RLP.encode(['toString']))).toBe('unknown');
  });
});
