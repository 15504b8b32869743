import { describe, expect, it } from '@jest/globals';
import { trieKeyCodec } from './trie-key.js';

const bytesOf = (text: string) => [...trieKeyCodec.parse(text)];

describe('the beginning of a page', () => {
  it.each([
    ['', []],
    ['0x', []],
    ['0x00ff', [0, 255]],
    ['AP8=', [0, 255]],
    // Base64, although it begins as hex does.
    ['0xg', [0xd3, 0x18]],
    [Buffer.from([0xd3, 0x1f, 0xff]).toString('base64'), [0xd3, 0x1f, 0xff]],
  ])('is read from %j', (text, bytes) => {
    expect(bytesOf(text)).toEqual(bytes);
  });

  it.each(['0x' + '00'.repeat(33), 'A'.repeat(45), '!', ' 0x00'])('is not %j', (text) => {
    expect(trieKeyCodec.safeParse(text).success).toBe(false);
  });
});
