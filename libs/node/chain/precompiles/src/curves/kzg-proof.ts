import { isZero } from '../input.js';
import { PairingProduct } from './bls12-pairing.js';
import { decompress } from './bls12-compressed.js';
import { readBls12G1, writeBls12G1, writeBls12G2 } from './bls12-points.js';
import { SubgroupCheck } from './bls12-subgroup.js';
import { G1, G2, SCALAR, type Curve } from './curve.js';

/** A claim about a polynomial: commitment and proof compressed (48), z and y big-endian (32). */
export interface KzgClaim {
  readonly commitment: Uint8Array;
  readonly proof: Uint8Array;
  readonly z: Uint8Array;
  readonly y: Uint8Array;
}

/** The generators of the groups, compressed. Source: EIP-2537, "Curve parameters". */
const GENERATOR_1 =
  '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb';
const GENERATOR_2 =
  '93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e' +
  '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8';

/**
 * The secret of Ethereum's KZG ceremony on G2: all that checking a proof needs of its result.
 * Source: trusted_setup.json of the ceremony, second entry of `g2_monomial`.
 */
const SETUP_2 =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f7' +
  '2185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2';

/**
 * Checks claims on the curve: e(C − y·G₁ + z·π, −G₂) · e(π, τ·G₂) = 1, whose points of G₂ never change.
 * @returns whether the claim holds; false too when a part of it is malformed
 */
export function createProofChecker(curve: Curve): (claim: KzgClaim) => boolean {
  const { mcl } = curve;
  const [points, scalars] = [curve.allocate(2 * G1), curve.allocate(2 * SCALAR)];
  const [proof, generator] = [points, points + G1];
  const [sum, commitment] = [curve.allocate(G1), curve.allocate(G1)];
  const [base] = decompress(Buffer.from(GENERATOR_1, 'hex'), Buffer.from(GENERATOR_1, 'hex')) ?? [];
  if (base === undefined || !readBls12G1(curve, generator, base, 0)) throw new Error('generator of G1');
  const product = new PairingProduct();
  [pointOfG2(curve, GENERATOR_2, true), pointOfG2(curve, SETUP_2, false)].forEach((point, index) =>
    product.keepLines(index, point),
  );
  return (claim) => {
    if (!curve.readExactScalar(scalars, claim.z, 0)) return false;
    if (!curve.readExactScalar(scalars + SCALAR, claim.y, 0)) return false;
    const given = decompress(claim.commitment, claim.proof);
    if (given === undefined) return false;
    const check = new SubgroupCheck(false);
    if (!given.every((point) => check.take(point)) || !check.end()) return false;
    if (!given.every((point, index) => readBls12G1(curve, index === 0 ? commitment : proof, point, 0)))
      return false;
    mcl._mclBnFr_neg(scalars + SCALAR, scalars + SCALAR);
    mcl._mclBnG1_mulVec(sum, points, scalars, 2);
    mcl._mclBnG1_add(sum, sum, commitment);
    // A pairing with infinity is one; so is that of a constant polynomial's proof.
    const pairs = [writeBls12G1(curve, sum), given[1]].map((point, index) => ({ point, index }));
    const rest = pairs.filter(({ point }) => !isZero(point, 0, point.length));
    for (const { point, index } of rest) product.takeFirst(index, point);
    if (rest.length > 0) product.multiplyKept(rest[0]?.index ?? 0, rest.at(-1)?.index ?? 0);
    return product.isOne();
  };
}

/** A fixed point of G2, or its negative, as x ‖ y (256). */
function pointOfG2(curve: Curve, hex: string, isNegative: boolean): Uint8Array {
  const { mcl } = curve;
  const size = hex.length / 2;
  const [point, buffer] = [curve.allocate(G2), curve.allocate(size)];
  curve.put(buffer, Buffer.from(hex, 'hex'));
  // Ethereum's encoding, which mcl selects by a global switch.
  mcl._mclBn_setETHserialization(1);
  const read = mcl._mclBnG2_deserialize(point, buffer, size);
  mcl._mclBn_setETHserialization(0);
  if (read !== size) throw new Error('a constant of KZG proofs is not a point of G2');
  if (isNegative) mcl._mclBnG2_neg(point, point);
  const bytes = writeBls12G2(curve, point);
  curve.free(buffer);
  curve.free(point);
  return bytes;
}
