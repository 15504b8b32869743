import { describe, expect, it } from '@jest/globals';
import { writeJson } from './json-text.js';
import { readJson } from './json.js';

const problem = (code: string) => expect.objectContaining({ code });
const read = (text: string) => () => readJson(text, 32);

describe('numbers', () => {
  it('that a double holds stay numbers', () => {
    expect(readJson('[9007199254740991,1e3,0.1,-0,1.5e-7]', 2)).toEqual([
      9007199254740991, 1000, 0.1, -0, 1.5e-7,
    ]);
  });

  it('that are integers beyond 2^53 become bigint', () => {
    expect(readJson('[9007199254740993,-18446744073709551615]', 2)).toEqual([
      9007199254740993n,
      -18446744073709551615n,
    ]);
  });

  it.each(['1e400', '-1E+309', `${'9'.repeat(320)}.5`])(
    'beyond the range of doubles are refused: %s',
    (text) => {
      expect(read(text)).toThrow(problem('PARSE_ERROR'));
    },
  );

  it('of so many digits that reading them takes long are refused', () => {
    expect(read('7'.repeat(401))).toThrow(problem('INVALID_REQUEST'));
    expect(read(`0.${'1'.repeat(401)}`)).toThrow(problem('INVALID_REQUEST'));
    expect(readJson('7'.repeat(400), 1)).toBe(BigInt('7'.repeat(400)));
  });

  it.each(['NaN', 'Infinity', '-Infinity', '01', '1.', '.5', '+1', '0x1', '1e', '1_000', '--1'])(
    'in another notation are refused: %s',
    (text) => {
      expect(read(text)).toThrow(problem('PARSE_ERROR'));
      // The same on the way that keeps long integers.
      expect(read(`[12345678901234567890,${text}]`)).toThrow(problem('PARSE_ERROR'));
    },
  );
});

describe('strings', () => {
  it('end at the first quote that is not escaped', () => {
    expect(readJson('["a\\\\","b\\"c","\\\\\\"",""]', 2)).toEqual(['a\\', 'b"c', '\\"', '']);
    expect(readJson('{"a\\\\":1,"a\\"":2,"a":3}', 2)).toEqual({ 'a\\': 1, 'a"': 2, a: 3 });
  });

  it('that look like structure are text', () => {
    const text = JSON.stringify(['{"a":1,"a":2}', '['.repeat(100), '1e999', '"', '12345678901234567890']);
    expect(readJson(text, 2)).toEqual(JSON.parse(text));
  });
});

describe('keys', () => {
  it('of the prototype are ordinary keys, also beside a long integer', () => {
    for (const number of ['1', '12345678901234567890']) {
      const value = readJson(`{"__proto__":{"admin":true},"constructor":1,"n":${number}}`, 3) as object;
      expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'n']);
      expect('admin' in value).toBe(false);
    }
  });
});

describe('writing', () => {
  it('makes integers of bigints at any depth', () => {
    expect(writeJson({ a: [2n ** 64n, { b: -1n }], c: 'x"y' })).toBe(
      '{"a":[18446744073709551616,{"b":-1}],"c":"x\\"y"}',
    );
  });

  it('does not hide what cannot be written', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => writeJson(circle)).toThrow();
  });
});
