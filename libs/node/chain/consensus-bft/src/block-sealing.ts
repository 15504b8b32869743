import type { Address, BlockHeader } from '@tetrad/types';
import { sortValidators } from './bft-rules.js';
import {
  ibftBlockHash,
  ibftCommitDigest,
  ibftProposerDigest,
  ibftSealHash,
  qbftCommitDigest,
} from './block-hash.js';
import { decodeIbftExtraData, encodeIbftExtraData, fitVanity } from './ibft-extra-data.js';
import type { HeaderFormat } from './messages/proposed-block.js';
import { ibftVoteFields } from './header-vote.js';
import { NONCE_DROP } from './params.js';
import { decodeQbftExtraData, encodeQbftExtraData, type ValidatorVote } from './qbft-extra-data.js';

export interface ProposalHeaderRequest {
  readonly format: HeaderFormat;
  /** Final but for beneficiary, nonce and extra data. */
  readonly header: BlockHeader;
  readonly proposer: Address;
  /** The set that must produce the block; empty when a contract holds it. */
  readonly validators: readonly Address[];
  readonly vote?: ValidatorVote;
  readonly vanity: Uint8Array;
}

/** The header of a proposal, with the vote and without committed seals. */
export type ProposalHeader =
  | { readonly header: BlockHeader }
  /** In IBFT the proposer seals it, with a signature of the digest. */
  | {
      readonly digest: Uint8Array;
      /** @param proposerSeal - 65 bytes */
      readonly sealed: (proposerSeal: Uint8Array) => BlockHeader;
    };

export function proposalHeader(request: ProposalHeaderRequest): ProposalHeader {
  return request.format === 'qbft' ? { header: qbftProposal(request) } : ibftProposal(request);
}

function qbftProposal({ header, proposer, validators, vote, vanity }: ProposalHeaderRequest): BlockHeader {
  const extraData = encodeQbftExtraData({
    vanity: fitVanity(vanity),
    validators: sortValidators(validators),
    ...(vote === undefined ? {} : { vote }),
    round: 0,
    committedSeals: [],
  });
  return { ...header, beneficiary: proposer, nonce: NONCE_DROP, extraData };
}

function ibftProposal({ header, validators, vote, vanity }: ProposalHeaderRequest): ProposalHeader {
  const voting = {
    ...header,
    ...ibftVoteFields(vote),
  };
  const extra = {
    vanity: fitVanity(vanity),
    validators: sortValidators(validators),
    proposerSeal: new Uint8Array(0),
    committedSeals: [],
  };
  return {
    digest: ibftProposerDigest(ibftSealHash(voting, extra)),
    sealed: (proposerSeal) => ({ ...voting, extraData: encodeIbftExtraData({ ...extra, proposerSeal }) }),
  };
}

/** Digests by header and round: every validator's seal of a round is over the same one. */
const digests = new WeakMap<BlockHeader, { readonly round: number; readonly digest: Uint8Array }>();

/**
 * The digest that a committed seal signs.
 * @param round - of the commit; unused in IBFT
 */
export function commitDigest(format: HeaderFormat, header: BlockHeader, round: number): Uint8Array {
  const known = digests.get(header);
  if (known !== undefined && (known.round === round || format === 'ibft')) return known.digest;
  const digest =
    format === 'ibft'
      ? ibftCommitDigest(ibftBlockHash(header, decodeIbftExtraData(header.extraData)))
      : qbftCommitDigest(header, { ...decodeQbftExtraData(header.extraData), round });
  digests.set(header, { round, digest });
  return digest;
}

/** The header with its seals, as it is stored; its hash does not change. */
export function committedHeader(
  format: HeaderFormat,
  header: BlockHeader,
  { round, seals }: { readonly round: number; readonly seals: readonly Uint8Array[] },
): BlockHeader {
  const extraData =
    format === 'ibft'
      ? encodeIbftExtraData({ ...decodeIbftExtraData(header.extraData), committedSeals: seals })
      : encodeQbftExtraData({ ...decodeQbftExtraData(header.extraData), round, committedSeals: seals });
  return { ...header, extraData };
}
