/** The field of BLS12-381. Source: EIP-2537, "Curve parameters". */
export const P =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

/** Limbs of assembly/bls12-pairing/limbs.ts: 14 of 28 bits, and Montgomery's form for the power of two above them. */
const LIMBS = 14;
const BITS = 28n;
const MASK = (1n << BITS) - 1n;
const R = 1n << 392n;

/** Where assembly/bls12-pairing/constants.ts and limbs.ts have them. */
const AT = {
  modulus: 0,
  inverse: 112,
  mask: 128,
  lastMask: 144,
  sign: 160,
  shiftedSign: 176,
  ones: 0x100,
  one: 0x180,
  square: 0x200,
  exponent: 0x280,
  factors: 0x300,
  beta: 0x600,
  psiX: 0x680,
  psiY: 0x700,
  fours: 0x780,
  plainOnes: 0x800,
  rootExponent: 0x880,
} as const;
/** Bytes of a pair of numbers, of an exponent, and of all constants. */
const PAIR = 8 * LIMBS;
const EXPONENT_BYTES = 48;
const SIZE = AT.rootExponent + EXPONENT_BYTES;

type Pair = readonly [bigint, bigint];

let known: Uint8Array | undefined;

/** The constants of assembly/bls12-pairing.ts, from address 0 on. Computed at first use, in about a millisecond. */
export function bls12Constants(): Uint8Array {
  return (known ??= computeConstants());
}

function computeConstants(): Uint8Array {
  const bytes = new Uint8Array(SIZE);
  const view = new DataView(bytes.buffer);
  const fill = (at: number, ...limbs: readonly bigint[]) =>
    limbs.forEach((limb, index) => view.setInt32(at + 4 * index, Number(limb), true));
  const inverse = R - invert(P, R);
  writePair(view, AT.modulus, [P, P]);
  fill(AT.inverse, ...Array<bigint>(4).fill(inverse & MASK));
  fill(AT.mask, ...Array<bigint>(4).fill(MASK));
  fill(AT.lastMask, MASK, MASK, -1n, -1n);
  for (const lane of [0, 8]) {
    view.setBigUint64(AT.sign + lane, 1n << 63n, true);
    view.setBigUint64(AT.shiftedSign + lane, 1n << (63n - BITS), true);
  }
  writePair(view, AT.ones, [R % P, R % P]);
  writePair(view, AT.one, [R % P, 0n]);
  writePair(view, AT.square, [(R * R) % P, (R * R) % P]);
  writePair(view, AT.fours, [(4n * R) % P, (4n * R) % P]);
  writePair(view, AT.plainOnes, [1n, 1n]);
  writeExponent(bytes, AT.exponent, P - 2n);
  writeExponent(bytes, AT.rootExponent, (P + 1n) / 4n);
  writeFactors(view);
  writeEndomorphisms(view);
  return bytes;
}

function writeExponent(bytes: Uint8Array, at: number, exponent: bigint): void {
  for (let byte = 0; byte < EXPONENT_BYTES; byte += 1)
    bytes[at + byte] = Number((exponent >> BigInt(8 * byte)) & 255n);
}

/** Powers of ξ^((p − 1) / 6), ξ = 1 + u, in Montgomery's form. */
function writeFactors(view: DataView): void {
  const root = power([1n, 1n], (P - 1n) / 6n);
  let factor: Pair = [1n, 0n];
  for (let index = 0; index < 6; index += 1) {
    writePair(view, AT.factors + index * PAIR, [(factor[0] * R) % P, (factor[1] * R) % P]);
    factor = multiply(factor, root);
  }
}

/** Of the two third roots of one, the power of 2 is that of −x². The inverse of a power of ξ is one too: ξ^(p² − 1) is one. */
function writeEndomorphisms(view: DataView): void {
  const [beta] = power([2n, 0n], (P - 1n) / 3n);
  const montgomery = ([first, second]: Pair): Pair => [(first * R) % P, (second * R) % P];
  writePair(view, AT.beta, montgomery([beta, beta]));
  const inverse = (exponent: bigint) => power([1n, 1n], P * P - 1n - exponent);
  writePair(view, AT.psiX, montgomery(inverse((P - 1n) / 3n)));
  writePair(view, AT.psiY, montgomery(inverse((P - 1n) / 2n)));
}

function writePair(view: DataView, at: number, pair: Pair): void {
  for (let limb = 0; limb < LIMBS; limb += 1)
    pair.forEach((value, half) => {
      view.setInt32(at + 8 * limb + 4 * half, Number((value >> (BITS * BigInt(limb))) & MASK), true);
    });
}

/** The numbers of the field, from 0 to p − 1, that a pair in Montgomery's form stands for, each times 2^392. */
export function readPair(view: DataView, at: number): Pair {
  const halves = [0, 4].map((half) => {
    let value = 0n;
    for (let limb = LIMBS - 1; limb >= 0; limb -= 1)
      value = (value << BITS) + BigInt(view.getInt32(at + 8 * limb + half, true));
    return ((value % P) + P) % P;
  });
  return halves as unknown as Pair;
}

/** Whether a number of the field times 2^392 is that of one. */
export const isOne = (value: bigint): boolean => value === R % P;

function multiply([a0, a1]: Pair, [b0, b1]: Pair): Pair {
  return [(a0 * b0 + (P - a1) * b1) % P, (a0 * b1 + a1 * b0) % P];
}

function power(base: Pair, exponent: bigint): Pair {
  let result: Pair = [1n, 0n];
  for (const bit of exponent.toString(2)) {
    result = multiply(result, result);
    if (bit === '1') result = multiply(result, base);
  }
  return result;
}

/** value⁻¹ modulo a power of two, for an odd value. */
function invert(value: bigint, modulus: bigint): bigint {
  let inverse = 1n;
  while ((value * inverse) % modulus !== 1n)
    inverse = (((inverse * (2n - value * inverse)) % modulus) + modulus) % modulus;
  return inverse;
}
