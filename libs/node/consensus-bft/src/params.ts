import { parseHash } from '@tetrad/types';

/** Constants of the Istanbul family (ibft.md, section 3). */

/** Marks a header whose hash follows the rules of this family. */
export const ISTANBUL_MIX_HASH = parseHash(
  '0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365',
);

/** Keccak-256 of the RLP of an empty list: no block has ommers. */
export const EMPTY_OMMERS_HASH = parseHash(
  '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
);

/** Root of an empty trie: no block has withdrawals. */
export const EMPTY_ROOT = parseHash('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');

/** SHA-256 of nothing: no block has execution requests (EIP-7685). */
export const EMPTY_REQUESTS_HASH = parseHash(
  '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
);

export const DIFFICULTY = 1n;

/** Bytes of free text in front of, or inside, the extra data. */
export const VANITY_LENGTH = 32;

/** Header nonces of the older format: a vote to add, a vote to drop or none. */
export const NONCE_ADD = Uint8Array.from([255, 255, 255, 255, 255, 255, 255, 255]);
export const NONCE_DROP = new Uint8Array(8);

/** Bytes of a seal: r (32) ‖ s (32) ‖ v (1). */
export const SEAL_LENGTH = 65;
