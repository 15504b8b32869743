import { describe, expect, it } from '@jest/globals';
import { parseMembers } from './json-members.js';

const parse = (text: string) => parseMembers(Buffer.from(text));
const TOO_MANY = 'the body has more than 16384 members and entries';

describe('the members of a body', () => {
  it('are as many as the longest lists of a payload have, and long texts', () => {
    const list = Array.from({ length: 1_000 }, (_, at) => `key ${at}`);
    const body = { payload: 'A'.repeat(1_000_000), to: list, mandatoryRecipients: list, boxes: list };
    expect(parse(JSON.stringify(body))).toEqual(body);
    const most = `{"a":[${'0,'.repeat(16_383)}0]}`;
    expect(parse(most)).toEqual({ a: new Array(16_384).fill(0) });
  });

  it.each([
    ['members', `{${Array.from({ length: 16_385 }, (_, at) => `"${at}":0`).join(',')}}`],
    ['entries', `{"a":[${'{},'.repeat(16_384)}{}]}`],
    // Refused before it is read, or it would not be JSON.
    ['commas', `{"a":${','.repeat(1_000_000)}`],
  ])('are refused when they are too many %s', (_what, text) => {
    expect(() => parse(text)).toThrow(TOO_MANY);
  });
});
