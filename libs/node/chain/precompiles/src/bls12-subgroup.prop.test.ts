import { bls12_381 } from '@noble/curves/bls12-381.js';
import { concatBytes } from '@noble/curves/utils.js';
import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { Inputs, word } from '../test/inputs.js';
import { SubgroupCheck } from './curves/bls12-subgroup.js';
import { precompiles } from './precompiles.js';

const { G1, G2, fields } = bls12_381;
const ORDER = fields.Fr.ORDER;

type First = typeof G1.Point.BASE;
type Second = typeof G2.Point.BASE;

/** Points of these orders are on the curves too. Source: the factors of the cofactors of EIP-2537 */
const ORDERS_1 = [3n, 11n, 10_177n, 859_267n, 52_437_899n];
const ORDERS_2 = [13n, 23n, 2_713n, 11_953n, 262_069n];
const COFACTOR_1 = 0x396c8c005555e1568c00aaab0000aaabn;
const COFACTOR_2 =
  0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5n;

function encodeFirst(point: First): Uint8Array {
  if (point.is0()) return new Uint8Array(128);
  const { x, y } = point.toAffine();
  return concatBytes(word(x, 64), word(y, 64));
}

function encodeSecond(point: Second): Uint8Array {
  if (point.is0()) return new Uint8Array(256);
  const { x, y } = point.toAffine();
  return concatBytes(...[x.c0, x.c1, y.c0, y.c1].map((value) => word(value, 64)));
}

/** Any point of the curve, nearly never one of the subgroup. */
function anyFirst(inputs: Inputs): First {
  const { Fp } = fields;
  for (;;) {
    const x = BigInt(inputs.below(2 ** 30));
    try {
      return G1.Point.fromAffine({ x, y: Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n)) });
    } catch {
      // Every other x has no y.
    }
  }
}

function anySecond(inputs: Inputs): Second {
  const { Fp2 } = fields;
  for (;;) {
    const x = { c0: BigInt(inputs.below(2 ** 30)), c1: BigInt(inputs.below(2 ** 30)) };
    try {
      return G2.Point.fromAffine({ x, y: Fp2.sqrt(Fp2.add(Fp2.pow(x, 3n), { c0: 4n, c1: 4n })) });
    } catch {
      // Every other x has no y.
    }
  }
}

interface Group<Point> {
  readonly isSecond: boolean;
  readonly any: (inputs: Inputs) => Point;
  readonly base: Point;
  readonly cofactor: bigint;
  readonly orders: readonly bigint[];
  readonly encode: (point: Point) => Uint8Array;
}

interface Multiples<Point> {
  add(other: Point): Point;
  multiplyUnsafe(by: bigint): Point;
  is0(): boolean;
  isTorsionFree(): boolean;
}

const FIRST: Group<First> = {
  isSecond: false,
  any: anyFirst,
  base: G1.Point.BASE,
  cofactor: COFACTOR_1,
  orders: ORDERS_1,
  encode: encodeFirst,
};
const SECOND: Group<Second> = {
  isSecond: true,
  any: anySecond,
  base: G2.Point.BASE,
  cofactor: COFACTOR_2,
  orders: ORDERS_2,
  encode: encodeSecond,
};

/** A point of the order, or of one of its powers that the cofactor has; undefined when this one has none. */
function ofOrder<Point extends Multiples<Point>>(group: Group<Point>, inputs: Inputs, order: bigint) {
  let part = group.cofactor;
  while (part % order === 0n) part /= order;
  // By parts below the order of the subgroup, as the library takes them.
  let point = group.any(inputs);
  for (let rest = part * ORDER, by = ORDER; rest > 1n; rest /= by) {
    if (rest % by !== 0n) by = rest;
    point = multiply(point, by);
  }
  return point.is0() ? undefined : point;
}

/** By any number, bit by bit. */
function multiply<Point extends Multiples<Point>>(point: Point, by: bigint): Point {
  let result: Point | undefined;
  for (const bit of by.toString(2)) {
    if (result !== undefined) result = result.add(result);
    if (bit === '1') result = result === undefined ? point : result.add(point);
  }
  return result ?? point.multiplyUnsafe(0n);
}

/** Points inside and outside, some of them the sum of one inside and one of a small order. */
function draw<Point extends Multiples<Point>>(group: Group<Point>, inputs: Inputs): Point {
  const inside = group.base.multiplyUnsafe(1n + (inputs.scalar(ORDER) % (ORDER - 1n)));
  if (inputs.below(2) === 0) return inside;
  if (inputs.below(3) === 0) return group.any(inputs);
  const small = ofOrder(group, inputs, inputs.pick(group.orders)) ?? group.any(inputs);
  return inputs.below(2) === 0 ? small : inside.add(small);
}

function verdict<Point>(group: Group<Point>, points: readonly Point[]): boolean {
  const check = new SubgroupCheck(group.isSecond);
  return points.every((point) => check.take(group.encode(point))) && check.end();
}

function checked<Point extends Multiples<Point>>(group: Group<Point>, seed: number, turns: number): void {
  const inputs = new Inputs(seededRandom(seed));
  for (let turn = 0; turn < turns; turn += 1) {
    const points = Array.from({ length: 1 + inputs.below(4) }, () => draw(group, inputs));
    expect(verdict(group, points)).toBe(points.every((point) => multiply(point, ORDER).is0()));
  }
}

describe('points of BLS12-381', () => {
  it('of G1 are in the subgroup when the order times them is infinity, alone and together', () => {
    checked(FIRST, 1, 80);
  });

  it('of G2 are in the subgroup when the order times them is infinity', () => {
    checked(SECOND, 2, 30);
  });

  it.each(ORDERS_1)('of G1 and the order %i are outside, and so is their sum with one inside', (order) => {
    expectOutside(FIRST, order);
  });

  it.each(ORDERS_2)('of G2 and the order %i are outside, and so is their sum with one inside', (order) => {
    expectOutside(SECOND, order);
  });

  function expectOutside<Point extends Multiples<Point>>(group: Group<Point>, order: bigint): void {
    const inputs = new Inputs(seededRandom(Number(order)));
    const inside = group.base.multiplyUnsafe(12_345n);
    let found = 0;
    for (let turn = 0; turn < 10 && found < 3; turn += 1) {
      const small = ofOrder(group, inputs, order);
      if (small === undefined) continue;
      found += 1;
      for (const outside of [small, inside.add(small)]) {
        expect(verdict(group, [outside])).toBe(false);
        expect([verdict(group, [inside, outside]), verdict(group, [outside, inside])]).toEqual([
          false,
          false,
        ]);
      }
    }
    expect(found).toBe(3);
  }

  it('are checked in sums and pairings, wherever they stand', async () => {
    const run = (address: number, input: Uint8Array) => precompiles.of('osaka').get(address)?.run(input);
    const inputs = new Inputs(seededRandom(3));
    const [inside, second] = [encodeFirst(G1.Point.BASE), encodeSecond(G2.Point.BASE)];
    const [outside, secondOutside] = [encodeFirst(anyFirst(inputs)), encodeSecond(anySecond(inputs))];
    const [none, secondNone] = [new Uint8Array(128), new Uint8Array(256)];
    const one = word(1n);
    const sum = (points: readonly Uint8Array[]) =>
      concatBytes(...points.map((point) => concatBytes(point, one)));
    for (const place of [0, 1, 2]) {
      const first = Array.from({ length: 3 }, (_, at) => (at === place ? outside : inside));
      expect(await run(0x0c, sum(first))).toBeUndefined();
      const others = Array.from({ length: 3 }, (_, at) => (at === place ? secondOutside : second));
      expect(await run(0x0e, sum(others))).toBeUndefined();
      expect(
        await run(0x0f, concatBytes(...first.map((point) => concatBytes(point, secondNone)))),
      ).toBeUndefined();
      expect(
        await run(0x0f, concatBytes(...others.map((point) => concatBytes(none, point)))),
      ).toBeUndefined();
    }
    expect(await run(0x0c, sum([inside, none, inside]))).toBeDefined();
    expect(await run(0x0e, sum([second, secondNone, second]))).toBeDefined();
    expect(await run(0x0f, concatBytes(inside, secondNone, none, second))).toEqual(word(1n));
  });
});
