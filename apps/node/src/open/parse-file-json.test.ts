import { describe, expect, it } from '@jest/globals';
import { parseFileJson } from './parse-file-json.js';

describe('the JSON of a file', () => {
  it('keeps integers that a double cannot hold', () => {
    expect(parseFileJson('{"alloc":{"0xab":{"balance":1000000000000000000001}}}')).toEqual({
      alloc: { '0xab': { balance: 1_000_000_000_000_000_000_001n } },
    });
  });

  it('gives each member of an object once', () => {
    const text = '{"config":{"chainId":10,"qbft":{"epochlength":1},"qbft":{}}}';
    expect(() => parseFileJson(text)).toThrow(/^duplicate key "qbft"$/);
  });

  it('may begin with a byte order mark, and says so where that is one of UTF-16', () => {
    expect(parseFileJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
    expect(() => parseFileJson(Buffer.from('\uFEFF{}', 'utf16le').toString('utf8'))).toThrow('is in UTF-16');
  });

  it('is JSON', () => {
    expect(() => parseFileJson('{"config":}')).toThrow(/not valid JSON/);
  });
});
