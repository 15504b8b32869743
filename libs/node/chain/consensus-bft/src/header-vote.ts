import { ZERO_ADDRESS, type BlockHeader } from '@tetrad/types';
import { decodeQbftExtraData, type ValidatorVote } from './qbft-extra-data.js';
import { NONCE_ADD, NONCE_DROP } from './params.js';

/**
 * The meaning of a block without a vote: no vote or, as in GoQuorum, a vote to drop the zero address. Such a vote
 * withdraws its author's open vote about that address, and counts when the address is a validator.
 */
export type AbsentVote = 'none' | 'zeroDrop';

/**
 * The vote that a header carries, whether it counts or not.
 *
 * IBFT: recipient in the beneficiary, add or drop in the nonce; a zero beneficiary is not a vote unless GoQuorum's reading
 * is asked for. QBFT: in the extra data.
 *
 * @throws ConsensusError when the extra data cannot be read
 */
export function readHeaderVote(
  engine: 'qbft' | 'ibft',
  header: BlockHeader,
  absent: AbsentVote = 'none',
): ValidatorVote | undefined {
  if (engine === 'qbft') {
    const { vote } = decodeQbftExtraData(header.extraData);
    return vote ?? (absent === 'zeroDrop' ? { recipient: ZERO_ADDRESS, isAdd: false } : undefined);
  }
  if (header.beneficiary === ZERO_ADDRESS && absent === 'none') return undefined;
  return { recipient: header.beneficiary, isAdd: Buffer.compare(header.nonce, NONCE_ADD) === 0 };
}

/** Beneficiary and nonce of an IBFT header with the vote, or without one. */
export function ibftVoteFields(vote: ValidatorVote | undefined): Pick<BlockHeader, 'beneficiary' | 'nonce'> {
  return {
    beneficiary: vote?.recipient ?? ZERO_ADDRESS,
    nonce: vote?.isAdd === true ? NONCE_ADD : NONCE_DROP,
  };
}
