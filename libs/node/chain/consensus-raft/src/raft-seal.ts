import {
  InvalidSignatureError,
  decodeSignature65,
  encodeSignature65,
  keccak256,
  recoverAddress,
  type RecoverableSignature,
} from '@tetrad/crypto';
import { InvalidBlockError, encodeHeader } from '@tetrad/node-block';
import { ZERO_HASH, type Address, type BlockHeader } from '@tetrad/types';
import { decodeRaftExtraData, encodeRaftExtraData } from './raft-extra-data.js';

const NO_BLOOM = new Uint8Array(256);
const NO_EXTRA_DATA = new Uint8Array(0);

/**
 * What a minter signs: the hash of the header as GoQuorum has it before the block is put together. Roots of transactions
 * and receipts, the hash of ommers and the bloom are zeros, and extra data is empty (docs/spec/raft.md, "Headers").
 */
export function raftSealDigest(header: BlockHeader): Uint8Array {
  return keccak256(
    encodeHeader({
      ...header,
      ommersHash: ZERO_HASH,
      transactionsRoot: ZERO_HASH,
      receiptsRoot: ZERO_HASH,
      logsBloom: NO_BLOOM,
      extraData: NO_EXTRA_DATA,
    }),
  );
}

/**
 * The header with the seal of its minter.
 * @param header - final but for its extra data
 * @param minter.signature - of its `raftSealDigest`
 */
export function sealHeader(
  header: BlockHeader,
  minter: { readonly raftId: number; readonly signature: RecoverableSignature },
): BlockHeader {
  const signature = encodeSignature65(minter.signature);
  return { ...header, extraData: encodeRaftExtraData({ raftId: minter.raftId, signature }) };
}

/**
 * The address of the node that sealed the header.
 * @throws InvalidBlockError
 */
export function recoverMinter(header: BlockHeader): Address {
  const { signature } = decodeRaftExtraData(header.extraData);
  try {
    return recoverAddress(raftSealDigest(header), decodeSignature65(signature));
  } catch (error) {
    if (error instanceof InvalidSignatureError) throw new InvalidBlockError('extraData: invalid signature');
    throw error;
  }
}
