import { describe, expect, it } from '@jest/globals';
import { addressCodec, dataCodec, hashCodec, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { wireType } from './wire-types.js';

describe('the type of a value’s JSON', () => {
  it.each([
    [addressCodec, 'Address'],
    [hashCodec, 'Hash'],
    [dataCodec, 'Hex'],
    [quantityCodec, 'Hex'],
    [z.string().regex(/^(?:0x[0-9a-f]+|[0-9]+)$/), 'string'],
    [z.int().min(0), 'number'],
    [z.custom<bigint>(() => true).meta({ type: 'integer' }), 'number | bigint'],
    [z.union([z.string(), z.custom<bigint>(() => true).meta({ type: 'integer' })]), 'string'],
    [z.enum(['a', 'b']), "'a' | 'b'"],
    [z.literal([0, 'x']), "0 | 'x'"],
    [z.array(z.boolean()).nullable(), 'readonly (boolean)[] | null'],
    [z.record(z.string(), z.int()), 'Readonly<Record<string, number>>'],
    [z.union([z.string(), z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String })]), 'string'],
    [z.union([z.string(), z.custom<bigint>(() => true)]), 'string'],
    [
      z.object({ a: hashCodec, b: z.null().optional() }),
      '{ readonly a: Hash; readonly b?: null | undefined; }',
    ],
  ])('is written (%#)', (schema, type) => {
    expect(wireType(schema)).toBe(type);
  });

  it('is refused for a kind of schema that is not known', () => {
    expect(() => wireType(z.date())).toThrow('a schema of kind date');
  });
});
