import { describe, expect, it } from '@jest/globals';
import { Cast } from '../../test/cast/cast.js';
import { MessageError } from '../messages/message-fields.js';
import { decodeSignedRecord, encodeSignedRecord } from './signed-record-rlp.js';
import { EMPTY_RECORD, recordSigning, type SignedRecord, type SigningIntent } from './signed-record.js';

const cast = new Cast(4);
const [one, other] = [cast.block(cast.key(0)), cast.block(cast.key(0), 1)];
const certificate = (block = one, round = 3) => cast.certificate(block, round);
const intend = {
  proposal: (height: number, round: number, block = one): SigningIntent => ({
    kind: 'proposal',
    height,
    round,
    digest: block.hash,
  }),
  prepare: (height: number, round: number, block = one): SigningIntent => ({
    kind: 'prepare',
    height,
    round,
    digest: block.hash,
  }),
  commit: (height: number, round: number, block = one): SigningIntent => ({
    kind: 'commit',
    height,
    round,
    digest: block.hash,
    certificate: certificate(block, round),
  }),
  seal: (height: number, round: number, block = one): SigningIntent => ({
    kind: 'seal',
    height,
    round,
    digest: block.hash,
  }),
  roundChange: (height: number, round: number): SigningIntent => ({ kind: 'roundChange', height, round }),
};
const after = (...intents: SigningIntent[]): SignedRecord =>
  intents.reduce((record, intent) => {
    const next = recordSigning(record, intent);
    if (next === undefined) throw new Error(`${intent.kind} was refused`);
    return next;
  }, EMPTY_RECORD);

describe('what may be signed', () => {
  const kinds = ['proposal', 'prepare', 'commit', 'seal'] as const;

  it.each(kinds)('a %s of a view once, and the same again', (kind) => {
    const record = after(intend[kind](5, 3));
    expect(recordSigning(record, intend[kind](5, 3))).toEqual(record);
    expect(recordSigning(record, intend[kind](5, 3, other))).toBeUndefined();
  });

  it.each([...kinds, 'roundChange'] as const)('no %s of an older round or height', (kind) => {
    const record = after(intend.roundChange(5, 3));
    expect(recordSigning(record, intend[kind](5, 2))).toBeUndefined();
    expect(recordSigning(record, intend[kind](4, 9))).toBeUndefined();
    expect(recordSigning(record, intend[kind](5, 4))).toMatchObject({ height: 5, round: 4 });
    expect(recordSigning(record, intend[kind](6, 0))).toMatchObject({ height: 6, round: 0 });
  });

  it('another block in a later round, but never another seal at the height', () => {
    const record = after(intend.commit(5, 3), intend.seal(5, 3), intend.roundChange(5, 4));
    expect(recordSigning(record, intend.prepare(5, 4, other))).toBeDefined();
    expect(recordSigning(record, intend.commit(5, 4, other))).toBeDefined();
    expect(recordSigning(record, intend.seal(5, 4, other))).toBeUndefined();
    expect(recordSigning(record, intend.seal(5, 4))).toBeDefined();
    expect(recordSigning(record, intend.seal(6, 0, other))).toBeDefined();
  });

  it('a round change only before anything else of its round', () => {
    for (const kind of ['proposal', 'prepare', 'commit'] as const)
      expect(recordSigning(after(intend[kind](5, 3)), intend.roundChange(5, 3))).toBeUndefined();
    const record = after(intend.roundChange(5, 3));
    expect(recordSigning(record, intend.roundChange(5, 3))).toEqual(record);
  });

  it('a commit only with a certificate of its round and block', () => {
    const wrong = { ...intend.commit(5, 3), certificate: certificate(one, 2) } as SigningIntent;
    expect(recordSigning(EMPTY_RECORD, wrong)).toBeUndefined();
    const foreign = { ...intend.commit(5, 3), certificate: certificate(other, 3) } as SigningIntent;
    expect(recordSigning(EMPTY_RECORD, foreign)).toBeUndefined();
  });

  it('the certificate lasts as long as the height', () => {
    const record = after(intend.commit(5, 3), intend.roundChange(5, 4));
    expect(record.certificate?.round).toBe(3);
    expect(record.commit).toBeUndefined();
    expect(after(intend.commit(5, 3), intend.prepare(6, 0)).certificate).toBeUndefined();
  });
});

describe('a stored record', () => {
  const formatAt = () => 'qbft' as const;
  const records = [
    EMPTY_RECORD,
    after(intend.proposal(1, 0), intend.prepare(1, 0)),
    after(intend.roundChange(1, 2), intend.prepare(1, 2), intend.commit(1, 2), intend.seal(1, 2)),
    after(intend.commit(1, 2), intend.roundChange(1, 0xffffffff)),
  ];

  it('is read back as it was', () => {
    for (const record of records) {
      const bytes = encodeSignedRecord(record);
      const copy = decodeSignedRecord(bytes, formatAt);
      expect(Buffer.from(encodeSignedRecord(copy)).toString('hex')).toBe(Buffer.from(bytes).toString('hex'));
      expect({ ...copy, certificate: copy.certificate?.block.hash }).toEqual({
        ...record,
        certificate: record.certificate?.block.hash,
      });
    }
  });

  it('is refused when it is damaged, and not read as another one', () => {
    const bytes = encodeSignedRecord(after(intend.commit(1, 2)));
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeSignedRecord(bytes.subarray(0, length), formatAt)).toThrow(MessageError);
    const unknownVersion = Buffer.from(encodeSignedRecord(EMPTY_RECORD));
    unknownVersion[1] = 2;
    expect(() => decodeSignedRecord(unknownVersion, formatAt)).toThrow('version');
  });
});
