import { describe, expect, it } from '@jest/globals';
import { withoutByteOrderMark } from './byte-order-mark.js';

describe('a byte order mark', () => {
  it.each([
    ['\uFEFF{"a":1}', '{"a":1}'],
    ['{"a":"\uFEFF"}', '{"a":"\uFEFF"}'],
    ['', ''],
  ])('of UTF-8 is left out of %j', (text, expected) => {
    expect(withoutByteOrderMark(text)).toBe(expected);
  });

  it.each([
    ['little', Buffer.from('\uFEFF{}', 'utf16le')],
    ['big', Buffer.from('\uFEFF{}', 'utf16le').swap16()],
  ])('of UTF-16, %s end first, is named', (_, bytes) => {
    expect(() => withoutByteOrderMark(bytes.toString('utf8'))).toThrow('the file is in UTF-16');
  });
});
