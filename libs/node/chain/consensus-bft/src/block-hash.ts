import { keccak256, keccakHash } from '@tetrad/crypto';
import { headerFields } from '@tetrad/node-block';
import { encodeRlp } from '@tetrad/rlp';
import { hashToBytes, type BlockHeader, type Hash } from '@tetrad/types';
import { decodeIbftExtraData, encodeIbftExtraData, type IbftExtraData } from './ibft-extra-data.js';
import { ISTANBUL_MIX_HASH, VANITY_LENGTH } from './params.js';
import { decodeQbftExtraData, encodeQbftExtraData, type QbftExtraData } from './qbft-extra-data.js';

/** Smaller prefixes of RLP are those of byte strings. */
const FIRST_LIST_PREFIX = 0xc0;

/** Byte that the older format appends to a block hash before it is sealed. */
const COMMIT_MESSAGE_CODE = 0x02;

function hashWithExtra(header: BlockHeader, extraData: Uint8Array): Hash {
  return keccakHash(encodeRlp(headerFields(header, extraData)));
}

/**
 * A header's hash: without committed seals, so that it does not depend on which validators committed.
 *
 * The format follows from what the extra data decodes as, IBFT first; a header of neither format is hashed unchanged.
 */
export function hashHeader(header: BlockHeader): Hash {
  if (header.mixHash === ISTANBUL_MIX_HASH) {
    const ibft = mayBeIbft(header) ? attempt(() => decodeIbftExtraData(header.extraData)) : undefined;
    if (ibft !== undefined) return ibftBlockHash(header, ibft);
    const qbft = attempt(() => decodeQbftExtraData(header.extraData));
    if (qbft !== undefined) return qbftBlockHash(header, qbft);
  }
  return hashWithExtra(header, header.extraData);
}

/** Preimage: the header with seal kept and committed seals []. */
export function ibftBlockHash(header: BlockHeader, extra: IbftExtraData): Hash {
  return hashWithExtra(header, encodeIbftExtraData({ ...extra, committedSeals: [] }));
}

/** Preimage: the header with committed seals [] and round 0. */
export function qbftBlockHash(header: BlockHeader, extra: QbftExtraData): Hash {
  return hashWithExtra(header, encodeQbftExtraData({ ...extra, committedSeals: [], round: 0 }));
}

/** IBFT: what the proposer seals, hashed once; preimage: the header with an empty seal and committed seals []. */
export function ibftSealHash(header: BlockHeader, extra: IbftExtraData): Hash {
  const empty = new Uint8Array(0);
  return hashWithExtra(header, encodeIbftExtraData({ ...extra, proposerSeal: empty, committedSeals: [] }));
}

/** IBFT: the digest under the proposer's signature; the seal hash is hashed again. */
export function ibftProposerDigest(sealHash: Hash): Uint8Array {
  return keccak256(hashToBytes(sealHash));
}

/** IBFT: the digest of a committed seal. Preimage: block hash (32) ‖ 0x02. */
export function ibftCommitDigest(blockHash: Hash): Uint8Array {
  return keccak256(Buffer.concat([hashToBytes(blockHash), Uint8Array.of(COMMIT_MESSAGE_CODE)]));
}

/** QBFT: the digest of a committed seal. Preimage: the header with committed seals [] and its real round. */
export function qbftCommitDigest(header: BlockHeader, extra: QbftExtraData): Uint8Array {
  return hashToBytes(hashWithExtra(header, encodeQbftExtraData({ ...extra, committedSeals: [] })));
}

/** Whether a list may follow the vanity. A failed attempt costs more than the hash, and headers of the newer format have other bytes there. */
function mayBeIbft({ extraData }: BlockHeader): boolean {
  return (extraData[VANITY_LENGTH] ?? 0) >= FIRST_LIST_PREFIX;
}

function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
