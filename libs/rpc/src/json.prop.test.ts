import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { writeJson } from './json-text.js';
import { readJson } from './json.js';

const DEPTH = 32;

/** The code with which a body is refused. */
function rejection(body: Uint8Array | string): string | undefined {
  try {
    readJson(body, DEPTH);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? `unexpected ${String(error)}`;
  }
}

const json = fc.jsonValue({ maxDepth: 5 });

describe('reading JSON', () => {
  it('gives what JSON.parse gives, whatever the white space', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        // Written again, because doubles beyond 2^53 print as integers and come back as bigint.
        expect(JSON.parse(writeJson(readJson(text, DEPTH)))).toEqual(JSON.parse(text));
        expect(readJson(Buffer.from(text), DEPTH)).toEqual(readJson(text, DEPTH));
      }),
    );
  });

  it('keeps integers of any size, and writes them back as they were', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), (integer) => {
        const text = `{"a":[${integer}]}`;
        const { a } = readJson(text, DEPTH) as { a: [number | bigint] };
        expect(BigInt(a[0])).toBe(integer);
        expect(writeJson({ a })).toBe(text);
      }),
    );
  });

  it('is the inverse of writing, bigints beyond 2^53 included', () => {
    const big = fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n });
    const value = fc.dictionary(
      fc.string(),
      fc.oneof(big, fc.string(), fc.array(big), fc.integer(), fc.boolean(), fc.constant(null)),
    );
    fc.assert(
      fc.property(value, (written) => {
        expect(readJson(writeJson(written), DEPTH)).toEqual({ ...written });
      }),
    );
  });

  it('refuses truncated JSON, wherever it ends', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json, { minKeys: 1 }), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        expect(rejection(text.slice(0, cut % text.length))).toBe('PARSE_ERROR');
      }),
    );
  });

  it('refuses a duplicate key, also spelt differently, and takes it in different objects', () => {
    const escape = (key: string) =>
      [...key].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const key = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(key, fc.boolean(), fc.nat(30), (name, escaped, others) => {
        const plain = JSON.stringify(name);
        const again = escaped ? `"${escape(name)}"` : plain;
        const between = Array.from({ length: others }, (_, index) => `"other ${index} of them":0,`).join('');
        expect(rejection(`{${plain}:1,${between}${again}:2}`)).toBe('INVALID_REQUEST');
        expect(rejection(`[{${plain}:1},{${again}:2},{"x":{${plain}:{${again}:3}}}]`)).toBeUndefined();
      }),
    );
  });

  it('refuses nesting beyond the bound and takes it up to there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.boolean(), (depth, objects) => {
        const [open, close] = objects ? ['{"a":', '}'] : ['[', ']'];
        const text = `${open.repeat(depth)}1${close.repeat(depth)}`;
        expect(rejection(text)).toBe(depth > DEPTH ? 'INVALID_REQUEST' : undefined);
      }),
    );
  });

  it('refuses bytes that are not UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const isText = Buffer.from(bytes).toString('utf8').includes('\ufffd') === false;
        fc.pre(!isText);
        const quoted = Buffer.concat([Buffer.from('"'), bytes, Buffer.from('"')]);
        expect(rejection(quoted)).toBe('PARSE_ERROR');
      }),
    );
  });
});
