import { describe, expect, it } from '@jest/globals';
import { hexBytes, recorded, recordedPayload } from '../../test/recorded.js';
import { decodeBinaryPayload, encodeBinaryPayload } from './binary-payload.js';
import { decodeCborPayload, encodeCborPayload } from './cbor-payload.js';
import { PrivacyFlag, payloadHash, type EncodedPayload } from './encoded-payload.js';
import { copyForRecipient } from './recipient-copy.js';

const computed = recorded.notFromARunningPeer;

/** Both as base64, so that a difference reads well and kinds of byte array do not matter. */
function readable(payload: EncodedPayload): unknown {
  return JSON.parse(
    JSON.stringify(payload, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ).replaceAll(/\{"type":"Buffer","data":\[([\d,]*)\]\}/g, (_, data: string) =>
      JSON.stringify(Buffer.from(data === '' ? [] : data.split(',').map(Number)).toString('base64')),
    ),
  );
}

describe('payloads that a running manager pushed', () => {
  it.each(recorded.pushes.map((push, index) => ({ push, index })))('push $index is read', ({ push }) => {
    const payload = decodeBinaryPayload(hexBytes(push.body));
    expect(readable(payload)).toEqual(readable(recordedPayload(push)));
    expect(Buffer.from(payloadHash(payload)).toString('base64')).toBe(push.hash);
  });

  it.each(recorded.pushes.map((push, index) => ({ push, index })))('push $index is written', ({ push }) => {
    const bytes = encodeBinaryPayload(recordedPayload(push));
    expect(Buffer.from(bytes).toString('hex')).toBe(push.body);
  });

  it.each(recorded.senderRecords)('the record of the sender of $hash is read and written', (record) => {
    const payload = decodeBinaryPayload(hexBytes(record.encodedPayload));
    expect(Buffer.from(payloadHash(payload)).toString('base64')).toBe(record.hash);
    expect(payload.recipientKeys).toEqual(record.recipientKeys.map((name) => recorded.keys[name]?.public));
    expect(payload.recipientBoxes).toHaveLength(record.boxes);
    expect(payload.privacyFlag).toBe(record.privacyFlag);
    expect(Buffer.from(encodeBinaryPayload(payload)).toString('hex')).toBe(record.encodedPayload);
  });

  const copies = recorded.pushes.flatMap((push) => {
    const record = recorded.senderRecords.find(({ hash }) => hash === push.hash);
    return record === undefined ? [] : [{ push, record, hash: push.hash }];
  });
  it.each(copies)('the copy of $hash for its recipient is what was pushed', ({ push, record }) => {
    const [recipient] = decodeBinaryPayload(hexBytes(push.body)).recipientKeys;
    const copy = copyForRecipient(decodeBinaryPayload(hexBytes(record.encodedPayload)), recipient!);
    const pushed = recordedPayload(push);
    expect(copy.recipientKeys[0]).toBe(pushed.recipientKeys[0]);
    expect(new Set(copy.recipientKeys)).toEqual(new Set(pushed.recipientKeys));
    expect(readable({ ...copy, recipientKeys: [] })).toEqual(readable({ ...pushed, recipientKeys: [] }));
  });
});

describe('payloads that were computed', () => {
  it('mandatory recipients are read and written', () => {
    const payload = decodeBinaryPayload(hexBytes(computed.legacyFlag2.hex));
    expect(payload.privacyFlag).toBe(PrivacyFlag.MandatoryRecipients);
    expect(payload.mandatoryRecipients).toEqual(['/+UuD63zItL1EbjxkKUljMgG8Z1w0AJ8pNOR4iq2yQc=']);
    expect(Buffer.from(encodeBinaryPayload(payload)).toString('hex')).toBe(computed.legacyFlag2.hex);
  });

  it.each(Object.entries(computed.cbor))('%s is read and written', (_, { hex }) => {
    const payload = decodeCborPayload(hexBytes(hex));
    expect(Buffer.from(encodeCborPayload(payload)).toString('hex')).toBe(hex);
  });

  it('CBOR and binary tell the same of mandatory recipients', () => {
    const fromCbor = decodeCborPayload(hexBytes(computed.cbor.V2mppcbor.hex));
    expect(readable(fromCbor)).toEqual(readable(decodeBinaryPayload(hexBytes(computed.legacyFlag2.hex))));
  });
});
