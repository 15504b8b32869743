import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { countFirst } from './count-first.js';
import { addressCodec, dataCodec, hashCodec, indexCodec, quantityCodec } from './codecs.js';
import { decodeParams } from './decode-params.js';
import { defineMethod, optionalParam, param } from './define-method.js';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const block = z.union([
  z.enum(['latest', 'earliest']),
  quantityCodec,
  z.strictObject({ blockHash: hashCodec }),
]);
const method = defineMethod({
  summary: '',
  source: 'test',
  examples: [],
  params: [
    param('call', z.strictObject({ to: addressCodec, topics: z.array(hashCodec).optional() }), ''),
    optionalParam('block', block, ''),
    optionalParam('index', indexCodec, ''),
  ],
  result: z.null(),
  accepts: [
    {
      what: 'an account id in front',
      source: 'test',
      normalize: (params) => (typeof params[0] === 'number' ? params.slice(1) : params),
    },
  ],
});
const field = (name: string) =>
  expect.objectContaining({ code: 'INVALID_PARAMS', data: { reason: 'INVALID_PARAMS', field: name } });

describe('parameters', () => {
  it('that are wrong by the name of a member say what is wrong with it', () => {
    const byAddress = { ...method, params: [param('slots', z.record(addressCodec.in, z.string()), '')] };
    expect(() => decodeParams(byAddress, [{ '0x12': 'a' }])).toThrow(
      'invalid params: slots.0x12: must be an address: 0x and 40 hex digits',
    );
  });

  it('are decoded, with undefined for optional ones that are null or left out', () => {
    expect(decodeParams(method, [{ to: ADDRESS }, null])).toEqual([{ to: ADDRESS }, undefined, undefined]);
    expect(decodeParams(method, [{ to: ADDRESS }, '0x10', '0x2'])).toEqual([{ to: ADDRESS }, 16n, 2]);
  });

  it('may come by name, in any order and with gaps', () => {
    expect(decodeParams(method, { index: '0x2', call: { to: ADDRESS } })).toEqual([
      { to: ADDRESS },
      undefined,
      2,
    ]);
  });

  it('may come under another name that clients know, but not under both', () => {
    const [call, ...others] = method.params;
    const named = { ...method, params: [{ ...call, alsoNamed: ['identifier'] }, ...others] };
    expect(decodeParams(named, { identifier: { to: ADDRESS }, index: '0x2' })).toEqual([
      { to: ADDRESS },
      undefined,
      2,
    ]);
    expect(() => decodeParams(named, { identifier: { to: ADDRESS }, call: { to: ADDRESS } })).toThrow(
      'identifier: another name of call',
    );
  });

  it('may be a bare object that is the first one', () => {
    expect(decodeParams(method, { to: ADDRESS })).toEqual([{ to: ADDRESS }, undefined, undefined]);
  });

  it('are put into the documented form before anything is checked', () => {
    expect(decodeParams(method, [7, { to: ADDRESS }, '0x1', '0x2'])).toEqual([{ to: ADDRESS }, 1n, 2]);
  });

  it.each([
    ['call', []],
    ['call', [null]],
    ['call', ['text']],
    ['call.to', [{}]],
    ['call.to', [{ to: `${ADDRESS}0` }]],
    ['call.topics[1]', [{ to: ADDRESS, topics: [`0x${'0'.repeat(64)}`, '0x1'] }]],
    ['block', [{ to: ADDRESS }, '0x01']],
    ['block.blockHash', [{ to: ADDRESS }, { blockHash: '0x' }]],
    ['index', [{ to: ADDRESS }, null, '0x20000000000000']],
    ['params', [{ to: ADDRESS }, 'latest', '0x0', 1]],
    ['extra', { call: { to: ADDRESS }, extra: 1 }],
  ])('that are wrong are named: %s', (name, wire) => {
    expect(() => decodeParams(method, wire)).toThrow(field(name));
  });
});

describe('the codecs of the execution API', () => {
  it.each([
    [
      quantityCodec,
      ['0x0', '0x1', `0x${'f'.repeat(64)}`],
      ['', '0x', '0x01', '0X1', '1', '-0x1', '0xg', `0x1${'0'.repeat(64)}`],
    ],
    [dataCodec, ['0x', '0x00', '0xabCD'], ['', '0x0', 'abcd', '0xzz', '0x 0', '0x000']],
    [
      addressCodec,
      [ADDRESS, ADDRESS.toUpperCase().replace('X', 'x')],
      ['0x', ADDRESS.slice(2), `${ADDRESS}00`, `${ADDRESS}\n`],
    ],
    [
      hashCodec,
      [`0x${'0F'.repeat(32)}`],
      [`0x${'0'.repeat(63)}`, `0x${'0'.repeat(65)}`, `${'0'.repeat(66)}`],
    ],
    [indexCodec, ['0x0', '0x1fffffffffffff'], ['0x20000000000000', '0x00', 'latest']],
  ])('take what is well-formed and nothing else (%#)', (codec, good, bad) => {
    for (const text of good) {
      const value = z.decode(codec as z.ZodType<unknown, string>, text);
      expect(String(z.encode(codec as z.ZodType<unknown, string>, value)).toLowerCase()).toBe(
        text.toLowerCase(),
      );
    }
    for (const value of [...bad, 5, null, {}, [], true])
      expect([value, codec.safeParse(value).success]).toEqual([value, false]);
  });
});

describe('numbers of elements', () => {
  let read = 0;
  const element = z.string().refine(() => ++read > 0);
  const counted = defineMethod({
    summary: '',
    source: 'test',
    examples: [],
    params: [
      param('list', z.object({ names: z.array(element).max(3, 'must have at most 3 names').nullish() }), ''),
      optionalParam(
        'map',
        countFirst(z.record(z.string(), element), (value) =>
          Object.keys(Object(value)).length > 3 ? 'must have at most 3 members' : undefined,
        ),
        '',
      ),
      optionalParam('any', z.any(), ''),
    ],
    result: z.null(),
  });
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
  const members = (count: number) => Object.fromEntries(names(count).map((name) => [name, name]));

  it('are within their bounds before an element is read', () => {
    read = 0;
    expect(() => decodeParams(counted, [{ names: names(4) }])).toThrow(
      /list\.names: must have at most 3 names/,
    );
    expect(() => decodeParams(counted, [{}, members(4)])).toThrow(/map: must have at most 3 members/);
    expect(read).toBe(0);
    expect(decodeParams(counted, [{ names: names(3) }, members(3)])).toHaveLength(3);
    expect(read).toBe(6);
    // The schema names what has another shape.
    expect(() => decodeParams(counted, [7, members(1)])).toThrow(field('list'));
  });

  it('are bounded together, wherever they are', () => {
    const deep = (count: number) => ({ a: [{ b: names(count) }] });
    expect(decodeParams(counted, [{}, null, deep(90_000)])).toHaveLength(3);
    expect(() => decodeParams(counted, [{}, null, deep(110_000)])).toThrow(
      /any: must have at most 100000 values/,
    );
  });
});
