import { AbiCoder } from 'ethers/abi';
import fc from 'fast-check';
import { encodeAbiParameters } from 'viem/utils';
import { describe, expect, it } from '@jest/globals';
import { encodeArguments } from '../page/src/abi/arguments.js';
import { Undecodable, decodeValues, type Value } from '../page/src/abi/decode-values.js';
import { canonicalType, encoderParam, parseParams, type Param } from '../page/src/abi/param.js';

/** A type with a value of it, as JSON of call forms. */
interface Typed {
  readonly json: { readonly type: string; readonly name: string; readonly components?: readonly object[] };
  readonly value: unknown;
}

const name = fc.constantFrom('', 'a', 'b', '__proto__', 'constructor', '<b>');
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;

const leaf: fc.Arbitrary<{ type: string; values: fc.Arbitrary<unknown> }> = fc.oneof(
  fc.integer({ min: 1, max: 32 }).map((bytes) => ({
    type: `uint${8 * bytes}`,
    values: fc.bigInt({ min: 0n, max: 2n ** BigInt(8 * bytes) - 1n }).map(String),
  })),
  fc.integer({ min: 1, max: 32 }).map((bytes) => ({
    type: `int${8 * bytes}`,
    values: fc
      .bigInt({ min: -(2n ** BigInt(8 * bytes - 1)), max: 2n ** BigInt(8 * bytes - 1) - 1n })
      .map(String),
  })),
  fc.integer({ min: 1, max: 32 }).map((size) => ({
    type: `bytes${size}`,
    values: fc.uint8Array({ minLength: size, maxLength: size }).map(hexOf),
  })),
  fc.constant({ type: 'bool', values: fc.boolean().map(String) }),
  fc.constant({ type: 'address', values: fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hexOf) }),
  fc.constant({ type: 'string', values: fc.string({ unit: 'grapheme', maxLength: 80 }) }),
  fc.constant({ type: 'bytes', values: fc.uint8Array({ maxLength: 80 }).map(hexOf) }),
);

const typed = (depth: number): fc.Arbitrary<Typed> => {
  const plain = fc
    .tuple(leaf, name)
    .chain(([{ type, values }, named]) => values.map((value) => ({ json: { type, name: named }, value })));
  if (depth === 0) return plain;
  const tuple = fc
    .tuple(fc.array(typed(depth - 1), { minLength: 1, maxLength: 4 }), name)
    .map(([parts, named]) => ({
      json: { type: 'tuple', name: named, components: parts.map(({ json }) => json) },
      value: parts.map(({ value }) => value),
    }));
  // Copies of one value, whose type is the same.
  const array = fc
    .tuple(typed(depth - 1), fc.integer({ min: 0, max: 3 }), fc.boolean())
    .map(([{ json, value }, length, isFixed]) => ({
      json: { ...json, type: `${json.type}[${isFixed ? Math.max(1, length) : ''}]` },
      value: Array<unknown>(isFixed ? Math.max(1, length) : length).fill(value),
    }));
  return fc.oneof(plain, tuple, array);
};
const all = fc.array(typed(3), { minLength: 1, maxLength: 4 });

/** As a reader writes it into a form. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The values alone, as they were given. */
function given({ content }: Value): unknown {
  return typeof content === 'string' ? content : content.map(given);
}
const lower = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(lower) : String(value).toLowerCase();

const paramsOf = (list: readonly Typed[]): readonly Param[] =>
  parseParams(
    list.map(({ json }) => json),
    'inputs',
  );

describe('values of calls, results and logs', () => {
  it('are encoded as ethers encodes them, and decoded to what they were', () => {
    fc.assert(
      fc.property(all, (list) => {
        const params = paramsOf(list);
        const data = encodeArguments(
          params,
          list.map(({ value }) => textOf(value)),
        );
        const coder = AbiCoder.defaultAbiCoder();
        const byEthers = coder.encode(
          params.map(canonicalType),
          list.map(({ value }) => bools(value)),
        );
        expect(data).toBe(byEthers);
        const { values, further } = decodeValues(params, data);
        expect(further).toBe(0);
        expect(values.map(given).map(lower)).toEqual(list.map(({ value }) => lower(value)));
      }),
      { numRuns: 300 },
    );
  });

  it('are refused, or decoded without an error of another kind, whatever the data', () => {
    fc.assert(
      fc.property(all, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 40 }), (list, at, noise) => {
        const params = paramsOf(list);
        const data = encodeArguments(
          params,
          list.map(({ value }) => textOf(value)),
        );
        const bytes = Buffer.from(data.slice(2), 'hex');
        for (const [index, byte] of noise.entries()) bytes[(at + index) % bytes.length] = byte;
        try {
          const { values, further } = decodeValues(params, hexOf(bytes));
          // What is decoded is what these bytes are the encoding of, and of nothing else.
          const texts = values.map((value) => textOf(given(value)));
          const again = encodeArguments(params, texts);
          expect(hexOf(bytes.subarray(0, bytes.length - further))).toBe(again);
        } catch (error) {
          expect(error).toBeInstanceOf(Undecodable);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** ethers takes the text `false` for true. */
function bools(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bools);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

describe('data that would unfold', () => {
  const params = (...types: string[]) =>
    parseParams(
      types.map((type) => ({ type })),
      '',
    );
  const word = (value: bigint | number) => value.toString(16).padStart(64, '0');

  it('by reading one text many times is refused', () => {
    const text = `${word(32)}${'61'.repeat(32)}`;
    const offsets = Array<string>(1_000).fill(word(32 * 1_000));
    const data = `0x${word(32)}${word(1_000)}${offsets.join('')}${text}`;
    expect(() => decodeValues(params('string[]'), data)).toThrow('1: is not where it belongs');
  });

  it.each([
    ['a length of 2^255', 'uint256[]', `${word(32)}${word(2n ** 255n)}`, 'is longer than the data'],
    ['a length beyond the data', 'bytes', `${word(32)}${word(33)}${word(0)}`, 'the data ends before it'],
    ['a million values of no bytes', 'uint256[0][999999]', word(0), 'more than 20000 values'],
    ['a fixed length beyond the data', 'uint8[999999]', word(1), 'the data ends before it'],
    ['an offset to before', 'string', `${word(0)}`, 'is not where it belongs'],
    ['nothing', 'uint256', '', 'the data ends before it'],
    ['dirty bits', 'address', word(2n ** 160n), 'has more than 20 bytes'],
    ['dirty padding', 'bytes', `${word(32)}${word(1)}${'ff'.repeat(32)}`, 'is not padded with zeros'],
    ['another truth', 'bool', word(2), 'is neither true nor false'],
    ['a number out of range', 'int8', word(128), 'is no int8'],
    ['no text', 'string', `${word(32)}${word(1)}ff${'00'.repeat(31)}`, 'is not UTF-8'],
  ])('%s', (_, type, data, problem) => {
    expect(() => decodeValues(params(type), `0x${data}`)).toThrow(problem);
  });

  it('is linear work up to megabytes', () => {
    const list = Array.from({ length: 15_000 }, (_, at) => `0x${at.toString(16).padStart(64, '0')}`);
    const data = encodeAbiParameters(params('bytes32[]').map(encoderParam), [list]);
    expect(decodeValues(params('bytes32[]'), data).values[0]?.content).toHaveLength(15_000);
  });
});
