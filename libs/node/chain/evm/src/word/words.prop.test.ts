import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as arithmetic from './arithmetic.js';
import * as bits from './bits.js';
import * as comparison from './comparison.js';
import { WordTable } from './word-table.js';
import {
  NUMBER_LIMIT,
  readWord,
  toWord,
  wordAt,
  wordFromBytes,
  wordToBytes,
  writeWord,
  type Word,
} from './word.js';

const M = 2n ** 256n;
/** Around every limit at which a path changes, and anywhere. */
const edges = [
  0n,
  31n,
  32n,
  53n,
  255n,
  256n,
  2n ** 31n,
  2n ** 32n,
  2n ** 52n,
  2n ** 53n,
  2n ** 64n,
  2n ** 255n,
  M,
];
const word = fc
  .oneof(
    fc.tuple(fc.constantFrom(...edges), fc.bigInt({ min: -3n, max: 3n })).map(([edge, step]) => edge + step),
    fc.bigInt({ min: 0n, max: 2n ** 53n }),
    fc.bigInt({ min: 0n, max: 300n }),
    fc.bigInt({ min: 0n, max: M - 1n }),
  )
  .map((value) => BigInt.asUintN(256, value));

const wrap = (value: bigint) => BigInt.asUintN(256, value);
const signed = (value: bigint) => BigInt.asIntN(256, value);
const flag = (value: boolean) => (value ? 1n : 0n);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n, square = wrap(square * square)) {
    if (rest % 2n === 1n) result = wrap(result * square);
  }
  return result;
}

type Binary = readonly [(a: Word, b: Word) => Word, (a: bigint, b: bigint) => bigint];

const binaries: Readonly<Record<string, Binary>> = {
  add: [arithmetic.add, (a, b) => wrap(a + b)],
  subtract: [arithmetic.subtract, (a, b) => wrap(a - b)],
  multiply: [arithmetic.multiply, (a, b) => wrap(a * b)],
  divide: [arithmetic.divide, (a, b) => (b === 0n ? 0n : a / b)],
  modulo: [arithmetic.modulo, (a, b) => (b === 0n ? 0n : a % b)],
  divideSigned: [arithmetic.divideSigned, (a, b) => (b === 0n ? 0n : wrap(signed(a) / signed(b)))],
  moduloSigned: [arithmetic.moduloSigned, (a, b) => (b === 0n ? 0n : wrap(signed(a) % signed(b)))],
  power: [arithmetic.power, power],
  signExtend: [
    arithmetic.signExtend,
    (index, a) => (index > 30n ? a : wrap(BigInt.asIntN(Number(index) * 8 + 8, a))),
  ],
  and: [bits.and, (a, b) => a & b],
  or: [bits.or, (a, b) => a | b],
  xor: [bits.xor, (a, b) => a ^ b],
  byteAt: [bits.byteAt, (index, a) => (index > 31n ? 0n : (a >> (248n - index * 8n)) & 0xffn)],
  shiftLeft: [bits.shiftLeft, (n, a) => (n > 255n ? 0n : wrap(a << n))],
  shiftRight: [bits.shiftRight, (n, a) => (n > 255n ? 0n : a >> n)],
  shiftRightSigned: [bits.shiftRightSigned, (n, a) => wrap(signed(a) >> (n > 255n ? 255n : n))],
  lessThan: [comparison.lessThan, (a, b) => flag(a < b)],
  greaterThan: [comparison.greaterThan, (a, b) => flag(a > b)],
  lessThanSigned: [comparison.lessThanSigned, (a, b) => flag(signed(a) < signed(b))],
  greaterThanSigned: [comparison.greaterThanSigned, (a, b) => flag(signed(a) > signed(b))],
};

/** The one form of a value. */
function expectWord(actual: Word, expected: bigint): void {
  expect(actual).toBe(expected < BigInt(NUMBER_LIMIT) ? Number(expected) : expected);
}

describe('words', () => {
  it.each(Object.entries(binaries))('%s as BigInts do, in their one form', (_name, [own, reference]) => {
    fc.assert(
      fc.property(word, word, (a, b) => expectWord(own(toWord(a), toWord(b)), reference(a, b))),
      { numRuns: 2_000 },
    );
  });

  it('have powers of exponents of every length', () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 0, max: 255 }), word, (a, shift, b) => {
        const exponent = b >> BigInt(shift);
        expectWord(arithmetic.power(toWord(a), toWord(exponent)), power(a, exponent));
      }),
      { numRuns: 2_000 },
    );
  });

  it('add and multiply under a modulus as BigInts do', () => {
    fc.assert(
      fc.property(word, word, word, (a, b, n) => {
        const [x, y, m] = [toWord(a), toWord(b), toWord(n)];
        expectWord(arithmetic.addModulo(x, y, m), n === 0n ? 0n : (a + b) % n);
        expectWord(arithmetic.multiplyModulo(x, y, m), n === 0n ? 0n : (a * b) % n);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are negated, counted and written to bytes and back', () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 0, max: 40 }), (a, offset) => {
        expectWord(bits.not(toWord(a)), M - 1n - a);
        expect(bits.leadingZeros(toWord(a))).toBe(a === 0n ? 256 : 256 - a.toString(2).length);
        expect(Buffer.from(wordToBytes(toWord(a))).toString('hex')).toBe(a.toString(16).padStart(64, '0'));
        const view = new DataView(new Uint8Array(80).fill(0xff).buffer);
        writeWord(view, offset, toWord(a));
        expectWord(readWord(view, offset), a);
      }),
    );
  });

  it('are read from fewer bytes than 32 with leading zeros', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 32 }), (bytes) => {
        expectWord(wordFromBytes(bytes), BigInt(`0x0${Buffer.from(bytes).toString('hex')}`));
      }),
    );
  });
});

describe('a word at an offset', () => {
  it('has zeros for what is behind the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 70 }), fc.nat(69), (bytes, at) => {
        const offset = at % bytes.length;
        const expected = Buffer.concat([bytes.subarray(offset), Buffer.alloc(32)]).subarray(0, 32);
        expectWord(wordAt(bytes, offset), BigInt(`0x${expected.toString('hex')}`));
      }),
    );
  });
});

describe('a table by words', () => {
  it('finds what was added, and nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 300 }), word, (keys, other) => {
        const table = new WordTable<{ key: Word; hash: number }>();
        for (const key of keys) table.add({ key: toWord(key), hash: 0 });
        for (const key of keys) expect(table.get(toWord(key))?.key).toBe(toWord(key));
        expect(table.get(toWord(other)) !== undefined).toBe(keys.includes(other));
        expect([...table].map(({ key }) => BigInt(key)).sort()).toEqual([...keys].sort());
      }),
      { numRuns: 60 },
    );
  });
});
