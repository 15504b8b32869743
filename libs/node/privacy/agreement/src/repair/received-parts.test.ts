import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { ReceivedParts } from './received-parts.js';
import { PART_BYTES, decodePart, encodePart, partsOf } from './repair-parts.js';

const WHOLE = Buffer.alloc(2 * PART_BYTES + 7, 'a contract');
const HASH = keccakHash(WHOLE);

describe('parts of a contract', () => {
  it('are put together in any order', () => {
    const received = new ReceivedParts(WHOLE.length, HASH);
    const messages = partsOf(WHOLE).map((part, index) => encodePart(HASH, index, part));
    expect(messages.map(({ length }) => length)).toEqual([60_065, 60_065, 72]);
    for (const message of messages.reverse()) {
      const { index, part } = decodePart(message) as NonNullable<ReturnType<typeof decodePart>>;
      expect(received.isComplete).toBe(false);
      expect(received.add(index, part)).toBe(true);
    }
    expect(received.isComplete).toBe(true);
    expect(received.whole()).toEqual(WHOLE);
  });

  it.each([
    ['a part that is there', 0, PART_BYTES],
    ['a part behind the last', 3, 7],
    ['a part that is too short', 2, 6],
    ['a part that is too long', 2, 8],
  ])('are not filled by %s', (_what, index, length) => {
    const received = new ReceivedParts(WHOLE.length, HASH);
    received.add(0, WHOLE.subarray(0, PART_BYTES));
    expect(received.add(index, Buffer.alloc(length))).toBe(false);
  });

  it('are nothing when they are not what was signed', () => {
    const received = new ReceivedParts(7, HASH);
    expect(received.add(0, Buffer.alloc(7))).toBe(true);
    expect(received.whole()).toBeUndefined();
  });

  it('are not read from messages that are empty, too long or of something else', () => {
    const message = encodePart(HASH, 0, Buffer.alloc(PART_BYTES));
    expect(decodePart(Buffer.concat([message, Buffer.alloc(1)]))).toBeUndefined();
    expect(decodePart(encodePart(HASH, 0, Buffer.alloc(0)))).toBeUndefined();
    expect(decodePart(Buffer.alloc(message.length))).toBeUndefined();
  });
});
