import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes } from '@noble/curves/utils.js';
import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { createHash } from 'node:crypto';
import type { ForkName } from './precompile.js';
import { precompiles } from './precompiles.js';
import { createOracle } from '../test/oracle.js';
import { Inputs, modexpInput, word } from '../test/inputs.js';

const oracles = new Map<ForkName, Awaited<ReturnType<typeof createOracle>>>();

/** Gas up to which the oracle is fast enough to compare. */
const MAX_GAS = 500_000;

/** Gas and output are the oracle's for the input. */
async function compare(fork: ForkName, address: number, input: Uint8Array): Promise<void> {
  const oracle = oracles.get(fork) ?? (await createOracle(fork));
  oracles.set(fork, oracle);
  const precompile = precompiles.of(fork).get(address);
  if (precompile === undefined) throw new Error(`none at ${address}`);
  // A mutation can raise declared lengths or rounds, so that the input costs more than the oracle can compute here.
  if (precompile.gas(input) > MAX_GAS) return;
  const expected = await oracle(address, input);
  const output = await precompile.run(input);
  const hex = Buffer.from(input).toString('hex');
  const show = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
  expect({ hex, output: show(output) }).toEqual({ hex, output: show(expected.output) });
  if (expected.output !== undefined)
    expect({ hex, gas: precompile.gas(input) }).toEqual({ hex, gas: expected.gas });
}

type Make = (inputs: Inputs) => Uint8Array;

const { Fp: Fp254 } = bn254.fields;
const { Fp: Fp381, Fp2: Fp2381 } = bls12_381.fields;

function affine(point: { is0(): boolean; toAffine(): { x: unknown; y: unknown } }, zero: unknown) {
  return point.is0() ? { x: zero, y: zero } : point.toAffine();
}

const multiple = <P>(base: { multiplyUnsafe(by: bigint): P }, by: bigint) => base.multiplyUnsafe(by);

function bn254G1(inputs: Inputs): Uint8Array {
  const { Point } = bn254.G1;
  const { x, y } = affine(multiple(Point.BASE, inputs.scalar(Point.Fn.ORDER) % Point.Fn.ORDER), 0n) as Flat;
  // Not below the modulus: the same point, and not valid.
  const beyond = inputs.below(12) === 0 && x + Fp254.ORDER < 2n ** 256n ? Fp254.ORDER : 0n;
  return concatBytes(word(x + beyond), word(y));
}

interface Flat {
  readonly x: bigint;
  readonly y: bigint;
}

interface Wide {
  readonly x: { readonly c0: bigint; readonly c1: bigint };
  readonly y: { readonly c0: bigint; readonly c1: bigint };
}

const NONE = { c0: 0n, c1: 0n };

function bn254G2(inputs: Inputs): Uint8Array {
  const { Point } = bn254.G2;
  const isOutside = inputs.below(6) === 0;
  const point = isOutside
    ? outside(inputs, bn254.fields.Fp2, Point)
    : multiple(Point.BASE, inputs.scalar(Fr254) % Fr254);
  const { x, y } = affine(point, NONE) as unknown as Wide;
  return concatBytes(word(x.c1), word(x.c0), word(y.c1), word(y.c0));
}

const Fr254 = bn254.fields.Fr.ORDER;
const Fr381 = bls12_381.fields.Fr.ORDER;

/** A point on the curve that is hardly ever in the subgroup. */
function outside<F>(
  inputs: Inputs,
  field: { create(value: F): F; sqrt(value: F): F; add(a: F, b: F): F; mul(a: F, b: F): F; ORDER: bigint },
  Point: {
    CURVE(): { b: F };
    fromAffine(point: { x: F; y: F }): { is0(): boolean; toAffine(): { x: F; y: F } };
  },
) {
  for (;;) {
    const value = BigInt(inputs.below(2 ** 30));
    const x = (
      typeof Point.CURVE().b === 'bigint' ? value : { c0: value, c1: BigInt(inputs.below(2 ** 30)) }
    ) as F;
    try {
      const square = field.add(field.mul(field.mul(x, x), x), Point.CURVE().b);
      return Point.fromAffine({ x, y: field.sqrt(square) });
    } catch {
      // Every other x has no y.
    }
  }
}

function blsG1(inputs: Inputs, isAnywhere: boolean): Uint8Array {
  const { Point } = bls12_381.G1;
  const isOutside = inputs.below(isAnywhere ? 2 : 8) === 0;
  const point = isOutside
    ? outside(inputs, Fp381, Point as never)
    : multiple(Point.BASE, inputs.scalar(Fr381) % Fr381);
  const { x, y } = affine(point, 0n) as Flat;
  return concatBytes(word(x, 64), word(y, 64));
}

function blsG2(inputs: Inputs, isAnywhere: boolean): Uint8Array {
  const { Point } = bls12_381.G2;
  const isOutside = inputs.below(isAnywhere ? 2 : 8) === 0;
  const point = isOutside
    ? outside(inputs, Fp2381, Point as never)
    : multiple(Point.BASE, inputs.scalar(Fr381) % Fr381);
  const { x, y } = affine(point, NONE) as unknown as Wide;
  return concatBytes(...[x.c0, x.c1, y.c0, y.c1].map((value) => word(value, 64)));
}

const repeat = (inputs: Inputs, most: number, make: () => Uint8Array) =>
  concatBytes(...Array.from({ length: 1 + inputs.below(most) }, make));

/** Pairs whose product is one about half of the time: a point and its negative with the same partner. */
function balanced(
  inputs: Inputs,
  pair: () => Uint8Array,
  negate: (pair: Uint8Array) => Uint8Array,
): Uint8Array {
  const first = pair();
  return inputs.below(2) === 0 ? concatBytes(first, negate(first)) : concatBytes(first, pair());
}

function negateAt(pair: Uint8Array, at: number, size: number, order: bigint): Uint8Array {
  const copy = Uint8Array.from(pair);
  const y = BigInt(`0x${Buffer.from(pair.subarray(at, at + size)).toString('hex')}`);
  copy.set(word(y === 0n ? 0n : order - y, size), at);
  return copy;
}

function signed(inputs: Inputs, curve: typeof p256 | typeof secp256k1) {
  const secret = word((inputs.scalar(curve.Point.Fn.ORDER) % (curve.Point.Fn.ORDER - 1n)) + 1n);
  const digest = inputs.bytes(32);
  const signature = curve.sign(digest, secret, { prehash: false, format: 'recovered', lowS: false });
  return { digest, signature, key: curve.getPublicKey(secret, false).subarray(1) };
}

function number(inputs: Inputs, length: number): Uint8Array {
  const value = inputs.bytes(length);
  if (inputs.below(3) === 0) value.fill(0, 0, inputs.below(length + 1));
  // Powers of two and numbers that many of them divide.
  if (inputs.below(3) === 0) value.fill(0, inputs.below(length + 1));
  return inputs.below(6) === 0 ? value.fill(255) : value;
}

const modexpOf: Make = (inputs) => {
  const length = () => inputs.pick([0, 1, 2, 4, 5, 8, 9, 16, 31, 32, 33, 64, 65, 100]);
  return modexpInput(number(inputs, length()), number(inputs, length()), number(inputs, length()));
};

const claim: Make = (inputs) => {
  const { Point } = bls12_381.G1;
  // A constant polynomial takes its value everywhere, and its proof is infinity.
  const y = inputs.scalar(Fr381) % Fr381;
  const commitment = multiple(Point.BASE, y).toBytes();
  const hash = createHash('sha256').update(commitment).digest();
  hash[0] = 1;
  const proof = inputs.below(3) === 0 ? multiple(Point.BASE, 7n).toBytes() : Point.ZERO.toBytes();
  return concatBytes(hash, word(inputs.scalar(Fr381)), word(y), commitment, proof);
};

const CASES: readonly (readonly [
  name: string,
  fork: ForkName,
  address: number,
  count: number,
  make: Make,
])[] = [
  [
    'ECRECOVER',
    'prague',
    0x01,
    150,
    (inputs) => {
      const { digest, signature } = signed(inputs, secp256k1);
      const compact = signature.subarray(1);
      return concatBytes(digest, word(27 + inputs.below(2)), compact);
    },
  ],
  ['SHA-256', 'prague', 0x02, 60, (inputs) => inputs.bytes(inputs.below(300))],
  ['RIPEMD-160', 'prague', 0x03, 60, (inputs) => inputs.bytes(inputs.below(300))],
  ['identity', 'prague', 0x04, 60, (inputs) => inputs.bytes(inputs.below(300))],
  ['MODEXP of Byzantium', 'byzantium', 0x05, 400, modexpOf],
  ['MODEXP of Berlin', 'berlin', 0x05, 400, modexpOf],
  ['MODEXP of Osaka', 'osaka', 0x05, 400, modexpOf],
  [
    'bn254 addition',
    'istanbul',
    0x06,
    200,
    (inputs) => {
      const point = bn254G1(inputs);
      return concatBytes(point, inputs.pick([point, bn254G1(inputs), negateAt(point, 32, 32, Fp254.ORDER)]));
    },
  ],
  [
    'bn254 addition of Byzantium',
    'byzantium',
    0x06,
    40,
    (inputs) => concatBytes(bn254G1(inputs), bn254G1(inputs)),
  ],
  [
    'bn254 product',
    'istanbul',
    0x07,
    120,
    (inputs) => concatBytes(bn254G1(inputs), word(inputs.scalar(Fr254))),
  ],
  [
    'bn254 product of Byzantium',
    'byzantium',
    0x07,
    20,
    (inputs) => concatBytes(bn254G1(inputs), inputs.bytes(32)),
  ],
  [
    'bn254 pairing',
    'istanbul',
    0x08,
    25,
    (inputs) =>
      balanced(
        inputs,
        () => concatBytes(bn254G1(inputs), bn254G2(inputs)),
        (pair) => negateAt(pair, 32, 32, Fp254.ORDER),
      ),
  ],
  [
    'BLAKE2F',
    'istanbul',
    0x09,
    150,
    (inputs) =>
      concatBytes(word(inputs.below(70), 4), inputs.bytes(208), word(inputs.pick([0, 1, 0, 1, 2]), 1)),
  ],
  ['point evaluation', 'cancun', 0x0a, 20, claim],
  ['BLS12_G1ADD', 'prague', 0x0b, 100, (inputs) => concatBytes(blsG1(inputs, true), blsG1(inputs, true))],
  [
    'BLS12_G1MSM',
    'prague',
    0x0c,
    25,
    (inputs) => repeat(inputs, 6, () => concatBytes(blsG1(inputs, false), word(inputs.scalar(Fr381)))),
  ],
  ['BLS12_G2ADD', 'prague', 0x0d, 60, (inputs) => concatBytes(blsG2(inputs, true), blsG2(inputs, true))],
  [
    'BLS12_G2MSM',
    'prague',
    0x0e,
    15,
    (inputs) => repeat(inputs, 4, () => concatBytes(blsG2(inputs, false), word(inputs.scalar(Fr381)))),
  ],
  [
    'BLS12_PAIRING_CHECK',
    'prague',
    0x0f,
    15,
    (inputs) =>
      balanced(
        inputs,
        () => concatBytes(blsG1(inputs, false), blsG2(inputs, false)),
        (pair) => negateAt(pair, 64, 64, Fp381.ORDER),
      ),
  ],
  ['BLS12_MAP_FP_TO_G1', 'prague', 0x10, 20, (inputs) => word(inputs.scalar(Fr381) ** 2n % Fp381.ORDER, 64)],
  [
    'BLS12_MAP_FP2_TO_G2',
    'prague',
    0x11,
    10,
    (inputs) =>
      concatBytes(word(inputs.scalar(Fr381), 64), word(Fp381.ORDER - 1n - BigInt(inputs.below(9)), 64)),
  ],
  [
    'P256VERIFY',
    'osaka',
    0x100,
    80,
    (inputs) => {
      const { digest, signature, key } = signed(inputs, p256);
      return concatBytes(digest, signature.subarray(1), key);
    },
  ],
];

describe('an input and its mutation have the results of EthereumJS and noble', () => {
  it.each(CASES)('%s', async (_name, fork, address, count, make) => {
    const inputs = new Inputs(seededRandom(address));
    await compare(fork, address, new Uint8Array(0));
    for (let turn = 0; turn < count; turn += 1) {
      const input = make(inputs);
      await compare(fork, address, input);
      if (turn % 2 === 0) await compare(fork, address, inputs.mutate(input));
    }
  });
});
