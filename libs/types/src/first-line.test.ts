import { describe, expect, it } from '@jest/globals';
import { firstLine } from './first-line.js';

describe('the first line of a file', () => {
  it.each([
    ['password', 'password'],
    ['password\n', 'password'],
    ['pass word \r\nsecond\n', 'pass word '],
    ['\nsecond', ''],
    ['', ''],
  ])('of %j is %j', (content, line) => {
    expect(firstLine(content)).toBe(line);
  });
});
