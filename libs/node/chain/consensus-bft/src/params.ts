import { parseHash } from '@tetrad/types';

/** Constants of the Istanbul family (docs/spec/bft.md#headers). */

/** Marks a header whose hash follows the rules of this family. */
export const ISTANBUL_MIX_HASH = parseHash(
  '0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365',
);

export const DIFFICULTY = 1n;

/** Bytes of free text in front of, or inside, the extra data. */
export const VANITY_LENGTH = 32;

/** Header nonces of the older format: a vote to add, a vote to drop or none. */
export const NONCE_ADD = Uint8Array.from([255, 255, 255, 255, 255, 255, 255, 255]);
export const NONCE_DROP = new Uint8Array(8);

/** Bytes of a seal: r (32) ‖ s (32) ‖ v (1). */
export const SEAL_LENGTH = 65;
