import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bn254 } from '@noble/curves/bn254.js';
import { decodeWord, encodeWord } from '@tetrad/rollup-crypto';
import { SRS_FOLDER } from '../circuit-cache.js';
import { G1_FILE, POINT_BYTES } from './points-file.js';
import { COMPARED, findFormat } from './points-format.js';

const { Fp } = bn254.fields;
const POINTS = 200;

let known: Buffer;
let points: { readonly x: bigint; readonly y: bigint }[];
beforeAll(async () => {
  const file = await readFile(join(SRS_FOLDER, G1_FILE));
  known = file.subarray(0, (COMPARED + 1) * POINT_BYTES);
  points = Array.from({ length: POINTS }, (_, index) => ({
    x: decodeWord(file, POINT_BYTES * index),
    y: decodeWord(file, POINT_BYTES * index + 32),
  }));
});

const big = (word: bigint) => Buffer.from(encodeWord(word));
const little = (word: bigint) => big(word).reverse();
const limbs = (word: bigint) =>
  Buffer.concat([24, 16, 8, 0].map((start) => big(word).subarray(start, start + 8)));
const montgomery = (word: bigint) => little(Fp.mul(word, Fp.create(2n ** 256n)));
const isLarger = (y: bigint) => y > Fp.neg(y);

type Point = (typeof points)[number];

/** Forms as the programs write them, by their sources. */
const FORMS: [string, { header?: number; first?: number; write: (point: Point) => Buffer }][] = [
  ['of bb before version 5', { write: ({ x, y }) => Buffer.concat([big(x), big(y)]) }],
  ['of bb since version 5', { write: ({ x, y }) => big(x | ((y & 1n) << 255n)) }],
  [
    'of the ceremony, without the generator',
    { header: 28, first: 1, write: ({ x, y }) => Buffer.concat([limbs(x), limbs(y)]) },
  ],
  ['of gnark, short', { header: 4, write: ({ x, y }) => big(x | ((isLarger(y) ? 3n : 2n) << 254n)) }],
  ['of gnark, whole', { header: 4, write: ({ x, y }) => Buffer.concat([big(x), big(y)]) }],
  ['of arkworks, short', { header: 8, write: ({ x, y }) => little(x | ((isLarger(y) ? 1n : 0n) << 255n)) }],
  ['of arkworks, whole', { header: 8, write: ({ x, y }) => Buffer.concat([little(x), little(y)]) }],
  [
    'of the memory of a program',
    { header: 3, write: ({ x, y }) => Buffer.concat([montgomery(x), montgomery(y)]) },
  ],
];

describe('the form of a file', () => {
  it.each(FORMS)('is found when it is %s', (_, { header = 0, first = 0, write }) => {
    const records = points.slice(first).map(write);
    const head = Buffer.concat([Buffer.alloc(header, 9), ...records]);
    const format = findFormat(head, known);
    const stride = records[0]?.length ?? 0;
    expect([format?.offset, format?.stride]).toEqual([header + stride * (1 - first), stride]);
    const read = records.slice(1 - first).map((record) => format?.read(record)?.toString('hex'));
    expect(read).toEqual(points.slice(1).map(({ x, y }) => Buffer.concat([big(x), big(y)]).toString('hex')));
  });

  it.each(FORMS)(
    'is not found %s with another point among the first',
    (_, { header = 0, first = 0, write }) => {
      const other = points.map((point, index) => (index === 40 ? (points[41] as Point) : point));
      const head = Buffer.concat([Buffer.alloc(header, 9), ...other.slice(first).map(write)]);
      expect(findFormat(head, known)).toBeUndefined();
    },
  );

  it('is not found with signs by no rule', () => {
    const head = Buffer.concat(points.map(({ x }, index) => big(x | (BigInt(index % 2) << 255n))));
    expect(findFormat(head, known)).toBeUndefined();
  });

  it('is not found in few points, in none, and behind what looks like the first', () => {
    const [bb] = FORMS as [(typeof FORMS)[number]];
    const head = Buffer.concat(points.map(bb[1].write));
    expect(findFormat(head.subarray(0, 4 * POINT_BYTES), known)).toBeUndefined();
    expect(findFormat(Buffer.alloc(0), known)).toBeUndefined();
    const second = head.subarray(POINT_BYTES, 2 * POINT_BYTES);
    expect(findFormat(Buffer.concat([second, head]), known)?.offset).toBe(2 * POINT_BYTES);
  });

  it('of short points has none for an x of no point', () => {
    const head = Buffer.concat(points.map(({ x, y }) => big(x | ((y & 1n) << 255n))));
    const format = findFormat(head, known);
    expect([1n, 2n, 3n, 4n, 5n].map((x) => format?.read(big(x)) === undefined)).toContain(true);
    expect(format?.read(big(1n))?.subarray(32).equals(big(2n))).toBe(true);
  });
});
