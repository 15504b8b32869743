import { keccak256, recoverPublicKey } from '@tetrad/crypto';
import { isZero, padded } from './input.js';
import type { Precompile } from './precompile.js';

const NO_SIGNER = new Uint8Array(0);

/**
 * ECRECOVER. Source: Yellow Paper, appendix E.
 *
 *     in:   digest (32) ‖ v (32) ‖ r (32) ‖ s (32); missing bytes are zero, more are not read
 *     out:  address, in a word (32); empty when no key recovers, which is not a failure
 */
export const ecrecover: Precompile = {
  gas: () => 3_000,
  run(input) {
    const bytes = padded(input, 0, 128);
    const parity = (bytes[63] as number) - 27;
    if ((parity !== 0 && parity !== 1) || !isZero(bytes, 32, 63)) return NO_SIGNER.slice();
    const signature = { r: bytes.subarray(64, 96), s: bytes.subarray(96, 128), parity } as const;
    try {
      return keccak256(recoverPublicKey(bytes.slice(0, 32), signature)).fill(0, 0, 12);
    } catch {
      return NO_SIGNER.slice();
    }
  },
};
