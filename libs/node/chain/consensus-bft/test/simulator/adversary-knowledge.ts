import type { Address, Hash } from '@tetrad/types';
import type {
  ConsensusMessage,
  PrepareMessage,
  ProposedBlock,
  RoundChangeMessage,
  SignedPrepare,
} from '../../src/messages/consensus-message.js';

export interface Certificate {
  readonly round: number;
  readonly block: ProposedBlock;
  readonly prepares: readonly SignedPrepare[];
}

/** What an adversary has heard of the height it is at. */
export class AdversaryKnowledge {
  readonly blocks = new Map<Hash, ProposedBlock>();
  private readonly prepares = new Map<string, Map<Address, PrepareMessage>>();
  private readonly roundChanges = new Map<number, Map<Address, RoundChangeMessage>>();

  constructor(readonly height: number) {}

  learn(message: ConsensusMessage): void {
    if (message.kind === 'proposal') this.blocks.set(message.block.hash, message.block);
    if (message.kind === 'prepare') {
      const key = `${message.round}:${message.digest}`;
      const votes = this.prepares.get(key) ?? new Map<Address, PrepareMessage>();
      this.prepares.set(key, votes.set(message.sender, message));
    }
    if (message.kind === 'roundChange') {
      const ofRound = this.roundChanges.get(message.round) ?? new Map<Address, RoundChangeMessage>();
      this.roundChanges.set(message.round, ofRound.set(message.sender, message));
      if (message.block !== undefined) this.blocks.set(message.block.hash, message.block);
    }
  }

  roundChangesTo(round: number): RoundChangeMessage[] {
    return [...(this.roundChanges.get(round)?.values() ?? [])];
  }

  /** Every certificate below the round that can be put together, with a vote of the adversary's own. */
  certificates(
    round: number,
    quorum: number,
    ownVote: (round: number, digest: Hash) => SignedPrepare,
  ): Certificate[] {
    const found: Certificate[] = [];
    for (const votes of this.prepares.values()) {
      const [first] = votes.values();
      const block = first === undefined ? undefined : this.blocks.get(first.digest);
      if (first === undefined || block === undefined || first.round >= round) continue;
      if (votes.size + 1 < quorum) continue;
      const others = [...votes.values()].slice(0, quorum - 1);
      found.push({ round: first.round, block, prepares: [...others, ownVote(first.round, block.hash)] });
    }
    return found;
  }
}
