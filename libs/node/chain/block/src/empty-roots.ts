import { parseHash } from '@tetrad/types';

/** Commitments of headers to empty content. */

/** Keccak-256 of the RLP of an empty list: no block has ommers. */
export const EMPTY_OMMERS_HASH = parseHash(
  '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
);

/** Root of an empty trie: keccak-256 of the RLP of an empty string. */
export const EMPTY_ROOT = parseHash('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');

/** SHA-256 of nothing: no block has execution requests (EIP-7685). */
export const EMPTY_REQUESTS_HASH = parseHash(
  '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
);
