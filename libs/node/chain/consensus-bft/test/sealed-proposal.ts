import { encodeSignature65, signDigest } from '@tetrad/crypto';
import type { BlockHeader } from '@tetrad/types';
import { proposalHeader, type ProposalHeaderRequest } from '../src/block-sealing.js';

/** The header of a proposal with the seal of the key, where the format has one. */
export function sealedProposal(request: ProposalHeaderRequest, privateKey: Uint8Array): BlockHeader {
  const proposal = proposalHeader(request);
  if ('header' in proposal) return proposal.header;
  return proposal.sealed(encodeSignature65(signDigest(proposal.digest, privateKey)));
}
