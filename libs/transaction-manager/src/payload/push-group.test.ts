import { describe, expect, it } from '@jest/globals';
import { joinPushes, readAnswers, splitPushes, writeAnswers } from './push-group.js';

const bodies = [Buffer.from('a'), Buffer.alloc(0), Buffer.alloc(70_000, 3)];

describe('a group of pushes', () => {
  it('is split into what it was joined of', () => {
    expect(splitPushes(Buffer.from(joinPushes(bodies)))).toEqual(bodies);
  });

  it.each([
    ['a length that is cut', Buffer.from('000000', 'hex')],
    ['a body that is cut', Buffer.from('00000002aa', 'hex')],
    ['a length beyond everything', Buffer.from('ffffffffaa', 'hex')],
    ['more than 64 payloads', Buffer.alloc(65 * 4)],
  ])('with %s is refused', (_, group) => {
    expect(() => splitPushes(group)).toThrow('group');
  });
});

describe('the answers of a group', () => {
  const taken = { status: 201, text: 'aGFzaA==' };

  it('are read as they are written, the hash of those alone that were taken', () => {
    const refused = { status: 500, text: 'no, not this' };
    expect(readAnswers(writeAnswers([taken, refused]), 2)).toEqual([taken, { status: 500, text: '' }]);
  });

  it('tell which contracts do not count there', () => {
    const lacking = { ...taken, dropped: [0, 12] };
    expect(readAnswers(writeAnswers([lacking, taken]), 2)).toEqual([lacking, taken]);
  });

  it.each([
    '',
    '201 a',
    '201 a,500,201 a',
    '201 a,9000',
    '201 a,x',
    '201 a, 500',
    '201 a,201 a b',
    '201 a,201 a 1.',
    '201 a,201 a 1 2',
  ])('%j is not a list of answers to two payloads', (text) => {
    expect(readAnswers(text, 2)).toBeUndefined();
  });
});
