import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hexBytes, recorded, recordedPayload } from '../../test/recorded.js';
import { decodePartyInfo } from '../party/party-info.js';
import { decodeBinaryPayload, encodeBinaryPayload } from './binary-payload.js';
import { decodeCborPayload, encodeCborPayload } from './cbor-payload.js';
import {
  checkPushed,
  MAX_PARTIES,
  MalformedPayloadError,
  PrivacyFlag,
  type EncodedPayload,
} from './encoded-payload.js';
import { FieldWriter } from './field-writer.js';

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const keys = fc.array(bytes(32), { maxLength: 4 });
const base64 = (value: Uint8Array) => Buffer.from(value).toString('base64');

const payloads = fc
  .record({
    sender: bytes(32),
    cipherText: fc.uint8Array({ maxLength: 100 }),
    cipherTextNonce: bytes(24),
    recipientBoxes: fc.array(bytes(48), { maxLength: 4 }),
    recipientNonce: bytes(24),
    recipientKeys: keys,
    privacyFlag: fc.constantFrom(0, 1, 2, 3),
    affected: fc.uniqueArray(fc.record({ hash: bytes(64), securityHash: bytes(64) }), {
      selector: ({ hash }) => base64(hash),
      maxLength: 3,
    }),
    execHash: fc.uint8Array({ maxLength: 44 }),
    mandatory: keys,
    privacyGroupId: fc.option(fc.uint8Array({ minLength: 1, maxLength: 32 }), { nil: undefined }),
  })
  .map(({ mandatory, ...payload }) => ({
    ...payload,
    sender: base64(payload.sender),
    recipientKeys: payload.recipientKeys.map(base64),
    execHash: payload.privacyFlag === 3 ? payload.execHash : new Uint8Array(),
    mandatoryRecipients: payload.privacyFlag === 2 ? mandatory.map(base64) : [],
  })) as unknown as fc.Arbitrary<EncodedPayload>;

const codecs = [
  { name: 'binary payload', decode: decodeBinaryPayload, encode: encodeBinaryPayload },
  { name: 'CBOR payload', decode: decodeCborPayload, encode: encodeCborPayload },
];
const decoders = [...codecs, { name: 'party information', decode: decodePartyInfo }];

describe('payload codecs', () => {
  it('what one encoding writes reads back the same, and both read the same', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const [binary, cbor] = [encodeBinaryPayload(payload), encodeCborPayload(payload)];
        const [fromBinary, fromCbor] = [decodeBinaryPayload(binary), decodeCborPayload(cbor)];
        expect(encodeBinaryPayload(fromCbor)).toEqual(binary);
        expect(encodeCborPayload(fromBinary)).toEqual(cbor);
      }),
    );
  });

  it.each(decoders)('$name: bytes of a stranger are read or refused as malformed', ({ decode }) => {
    const samples = [
      ...recorded.pushes.map(({ body }) => hexBytes(body)),
      ...Object.values(recorded.notFromARunningPeer.cbor).map(({ hex }) => hexBytes(hex)),
    ];
    const cut = fc
      .record({
        sample: fc.constantFrom(...samples),
        at: fc.nat(600),
        value: fc.nat(255),
        length: fc.nat(600),
      })
      .map(({ sample, at, value, length }) => {
        const changed = Uint8Array.from(sample);
        changed[at % changed.length] = value;
        return changed.subarray(0, length < 300 ? changed.length : length);
      });
    fc.assert(
      fc.property(fc.oneof(cut, fc.uint8Array({ maxLength: 300 })), (message) => {
        try {
          decode(message);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedPayloadError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(decoders)('$name: 100 kB of the deepest nesting or the largest counts is refused', ({ decode }) => {
    const nested = Buffer.alloc(100_000, 0x81);
    const maps = Buffer.alloc(100_000, 0xa1);
    const counts = Buffer.alloc(100_000, 0xff);
    const hugeString = Buffer.concat([hexBytes('ab665b7fffffffffffffff'), Buffer.alloc(100_000)]);
    for (const message of [nested, maps, counts, hugeString, Buffer.alloc(100_000)]) {
      expect(() => decode(message)).toThrow(MalformedPayloadError);
    }
  });

  it('more parties than the limit are refused before they are read', () => {
    const writer = new FieldWriter().field(Buffer.alloc(32)).field(Buffer.alloc(20)).field(Buffer.alloc(24));
    writer.list(Array.from({ length: MAX_PARTIES + 1 }), () => writer.field(Buffer.alloc(48)));
    expect(() => decodeBinaryPayload(writer.bytes())).toThrow(
      `recipientBoxes has ${MAX_PARTIES + 1} entries; the limit is ${MAX_PARTIES}`,
    );
  });

  it.each(codecs)('$name: bytes after a payload are ignored', ({ encode, decode }) => {
    const [push] = recorded.pushes;
    const grouped = { ...recordedPayload(push!), privacyGroupId: Buffer.from('group') };
    const bytes = encode(grouped);
    expect(decode(Buffer.concat([bytes, Buffer.from('more')]))).toEqual(decode(bytes));
  });

  it.each(codecs)('$name: an unknown flag is flag 0', ({ encode, decode }) => {
    const [push] = recorded.pushes;
    const odd = { ...recordedPayload(push!), privacyFlag: 9 as PrivacyFlag };
    expect(decode(encode(odd)).privacyFlag).toBe(PrivacyFlag.Standard);
  });

  it('a pushed payload has what its flag asks for, and nothing else', () => {
    const pushed = recordedPayload(recorded.pushes.find(({ decoded }) => decoded.privacyFlag === 3)!);
    expect(() => checkPushed(pushed)).not.toThrow();
    expect(() => checkPushed({ ...pushed, execHash: new Uint8Array() })).toThrow(
      'ExecutionHash data is invalid',
    );
    expect(() => checkPushed({ ...pushed, privacyFlag: PrivacyFlag.Standard })).toThrow('ExecutionHash data');
    const mandated = { ...pushed, privacyFlag: PrivacyFlag.MandatoryRecipients, execHash: new Uint8Array() };
    expect(() => checkPushed(mandated)).toThrow('Mandatory recipients data only applicable');
  });

  it('what an older manager left out is empty', () => {
    const [push] = recorded.pushes;
    const head = hexBytes(push!.body).subarray(0, 8 + 32 + 8 + 21 + 8 + 24 + 8 + 8 + 48 + 8 + 24);
    const payload = decodeBinaryPayload(head);
    expect([payload.recipientKeys, payload.privacyFlag, payload.affected]).toEqual([[], 0, []]);
    expect(payload.recipientBoxes).toHaveLength(1);
  });

  it.each([
    ['a second sender', 'ab6673656e64657240' + '6673656e64657240'],
    ['an unknown member', 'ab66756e6b6e6f776e40'],
    ['a tag', 'abc0'],
    ['a map without an end', 'bf'],
  ])('CBOR with %s is refused', (_, hex) => {
    expect(() => decodeCborPayload(hexBytes(hex))).toThrow(MalformedPayloadError);
  });
});
