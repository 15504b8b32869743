import { createHash } from 'node:crypto';
import { createProofChecker } from './curves/kzg-proof.js';
import { onCurve } from './curves/on-curve.js';
import type { Precompile } from './precompile.js';

/** Version of the hash of a KZG commitment. Source: EIP-4844, VERSIONED_HASH_VERSION_KZG. */
const VERSION = 1;

/** Field elements of a blob (4,096) and the modulus of the field, 32 bytes each. Source: EIP-4844. */
const OUTPUT = Buffer.from(
  '0000000000000000000000000000000000000000000000000000000000001000' +
    '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001',
  'hex',
);

/**
 * Whether a polynomial takes a value at a point, by its commitment and a proof. Source: EIP-4844.
 *
 *     in:   versioned hash (32) ‖ z (32) ‖ y (32) ‖ commitment (48) ‖ proof (48)
 *     out:  4096 (32) ‖ modulus (32)
 */
export const pointEvaluation: Precompile = {
  gas: () => 50_000,
  run: onCurve('bls12381', (curve) => {
    const checkProof = createProofChecker(curve);
    return (input) => {
      if (input.length !== 192) return undefined;
      const commitment = input.subarray(96, 144);
      const hash = createHash('sha256').update(commitment).digest();
      hash[0] = VERSION;
      if (!hash.equals(input.subarray(0, 32))) return undefined;
      const proof = input.subarray(144, 192);
      const isProved = checkProof({
        commitment,
        proof,
        z: input.subarray(32, 64),
        y: input.subarray(64, 96),
      });
      return isProved ? Uint8Array.from(OUTPUT) : undefined;
    };
  }),
};
