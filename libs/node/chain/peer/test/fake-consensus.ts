import type { Address } from '@tetrad/types';
import type { ConsensusOutcome, ConsensusPort, NodeId } from '../src/index.js';

/** A consensus engine that notes what it hears. */
export class FakeConsensus implements ConsensusPort {
  readonly heard: { readonly message: string; readonly from: NodeId }[] = [];
  set: Address[] = [];
  check: (message: Uint8Array) => ConsensusOutcome = () => 'accepted';

  /** Messages are noted once this resolves. */
  wait: Promise<void> | undefined;

  async onMessage(message: Uint8Array, from: NodeId): Promise<ConsensusOutcome> {
    await this.wait;
    this.heard.push({ message: Buffer.from(message).toString('hex'), from });
    return this.check(message);
  }

  validators(): Address[] {
    return this.set;
  }
}
