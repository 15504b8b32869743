import { ZERO_ADDRESS, type BlockHeader } from '@tetrad/types';
import { decodeQbftExtraData, type ValidatorVote } from './qbft-extra-data.js';
import { NONCE_ADD, NONCE_DROP } from './params.js';

/**
 * The vote that a header carries, whether it counts or not.
 *
 * IBFT: recipient in the beneficiary, add or drop in the nonce; a zero beneficiary is no vote. QBFT: in the extra data.
 * Fails: ConsensusError when the extra data cannot be read
 */
export function readHeaderVote(engine: 'qbft' | 'ibft', header: BlockHeader): ValidatorVote | undefined {
  if (engine === 'qbft') return decodeQbftExtraData(header.extraData).vote;
  if (header.beneficiary === ZERO_ADDRESS) return undefined;
  return { recipient: header.beneficiary, add: Buffer.compare(header.nonce, NONCE_ADD) === 0 };
}

/** Beneficiary and nonce of an IBFT header with the vote, or without one. */
export function ibftVoteFields(vote: ValidatorVote | undefined): Pick<BlockHeader, 'beneficiary' | 'nonce'> {
  return {
    beneficiary: vote?.recipient ?? ZERO_ADDRESS,
    nonce: vote?.add === true ? NONCE_ADD : NONCE_DROP,
  };
}
