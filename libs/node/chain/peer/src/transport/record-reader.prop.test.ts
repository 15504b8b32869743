import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WireError } from '../wire/wire-fields.js';
import { RecordReader } from './record-reader.js';
import {
  decodeStreamAnswer,
  decodeStreamMessage,
  encodeStreamAnswer,
  encodeStreamMessage,
} from './stream-record.js';

const ticket = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const bytes = fc.uint8Array({ maxLength: 60 });
const message = fc.record({
  ticket,
  kind: fc.constantFrom('push' as const, 'request' as const),
  frame: bytes,
});
const answer = fc.record({ ticket, status: fc.integer({ min: 0, max: 65_535 }), body: bytes });

/** The bytes in pieces of the given sizes, over and over. */
function* pieces(all: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let place = 0, turn = 0; place < all.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number;
    yield all.subarray(place, place + size);
    place += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 });

it('reads the messages and answers that were written, in whatever pieces they arrive', () => {
  fc.assert(
    fc.property(fc.array(message), fc.array(answer), sizes, (messages, answers, cuts) => {
      const [sent, answered] = [new RecordReader(100), new RecordReader(100)];
      const read = (reader: RecordReader, records: readonly Uint8Array[]) =>
        [...pieces(Buffer.concat(records), cuts)].flatMap((piece) => [...reader.take(piece)]);
      const plain = (value: Uint8Array) => Buffer.from(value).toString('hex');
      expect(
        read(sent, messages.map(encodeStreamMessage))
          .map(decodeStreamMessage)
          .map((one) => ({ ...one, frame: plain(one.frame) })),
      ).toEqual(messages.map((one) => ({ ...one, frame: plain(one.frame) })));
      expect(
        read(answered, answers.map(encodeStreamAnswer))
          .map(decodeStreamAnswer)
          .map((one) => ({ ...one, body: plain(one.body) })),
      ).toEqual(answers.map((one) => ({ ...one, body: plain(one.body) })));
      expect([sent.isWithin, answered.isWithin]).toEqual([false, false]);
    }),
  );
});

it('refuses a record that is too long before a byte of it is there', () => {
  const reader = new RecordReader(100);
  expect(() => [...reader.take(Buffer.from([0, 0, 0, 101]))]).toThrow(WireError);
});

it.each([
  ['an empty record', []],
  ['a message without a kind', [0, 0, 0, 1]],
  ['a message of an unknown kind', [0, 0, 0, 1, 9]],
  ['a welcome, which is not a message', [0, 0, 0, 1, 1]],
])('refuses %s', (_, record) => {
  expect(() => decodeStreamMessage(Buffer.from(record))).toThrow(WireError);
});

it('refuses an answer without a status', () => {
  expect(() => decodeStreamAnswer(Buffer.from([0, 0, 0, 1, 0]))).toThrow(WireError);
});
