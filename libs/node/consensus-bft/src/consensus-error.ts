/** A header or its extra data breaks a rule; texts are those of the reference (ibft.md, section 4). */
export class ConsensusError extends Error {
  override readonly name = 'ConsensusError';
}
