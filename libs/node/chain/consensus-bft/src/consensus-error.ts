import { InvalidBlockError } from '@tetrad/node-block';

/** A header breaks a rule of consensus; the message is the published text of it. */
export class ConsensusError extends InvalidBlockError {
  override readonly name = 'ConsensusError';
  override readonly code = 'CONSENSUS_RULE';
}
