import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesFromHex } from '@tetrad/types';

const { G1, G2, fields, pairing } = { ...bls12_381, pairing: bls12_381.pairing.bind(bls12_381) };

/**
 * The secret of Ethereum's KZG ceremony on G2: all that checking a proof needs of its result.
 * Source: trusted_setup.json of the ceremony, second entry of `g2_monomial`.
 */
const SETUP_G2 =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f7' +
  '2185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2';

/** Decoded, which proves that it is in the group and takes a while, for the first proof. */
let setup: ReturnType<typeof G2.Point.fromHex> | undefined;

/** EthereumJS recognizes invalid input by this error name of the C library. */
const BAD_INPUT = 'C_KZG_BADARGS';

type Point = ReturnType<typeof G1.Point.fromHex>;

/**
 * Whether the polynomial behind the commitment takes the value y at z (EIP-4844, verify_kzg_proof).
 * @param commitment - hex with 0x of a compressed point of G1 (48)
 * @param z - hex with 0x of a field element (32)
 * @param y - as `z`
 * @param proof - as `commitment`
 * @throws Error naming C_KZG_BADARGS when one of them is malformed
 */
export function verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
  const [c, p, at, value] = [point(commitment), point(proof), scalar(z), scalar(y)];
  // e(C − y·G1, −G2) · e(proof, τ·G2 − z·G2) = 1
  const shifted = c.subtract(multiply(G1.Point.BASE, value));
  setup ??= G2.Point.fromHex(SETUP_G2);
  const divisor = setup.subtract(at === 0n ? G2.Point.ZERO : G2.Point.BASE.multiply(at));
  const pairs = [
    { g1: shifted, g2: G2.Point.BASE.negate() },
    { g1: p, g2: divisor },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  const product = pairs.reduce((all, { g1, g2 }) => fields.Fp12.mul(all, pairing(g1, g2)), fields.Fp12.ONE);
  return fields.Fp12.eql(product, fields.Fp12.ONE);
}

function multiply(base: Point, by: bigint): Point {
  return by === 0n ? G1.Point.ZERO : base.multiply(by);
}

function point(hex: string): Point {
  try {
    const parsed = G1.Point.fromHex(hex.slice(2));
    if (!parsed.is0()) parsed.assertValidity();
    return parsed;
  } catch {
    throw new Error(`${BAD_INPUT}: not a point of G1`);
  }
}

function scalar(hex: string): bigint {
  const value = BigInt(hex);
  if (bytesFromHex(hex).length !== 32 || value >= fields.Fr.ORDER)
    throw new Error(`${BAD_INPUT}: not a field element`);
  return value;
}
