import { chooseVote, type Candidates, type ValidatorVote } from '@tetrad/node-consensus-bft';
import type { ValidatorStore } from '@tetrad/node-store';
import { RequestError, Turns, type Address } from '@tetrad/types';
import type { BftChain } from './bft-chain.js';

/** Limit on the candidates of one node; far above practical use, and few enough to scan for every proposal. */
const MAX_CANDIDATES = 1_000;

/** Addresses that this node votes in or out in the blocks it proposes; they outlive a restart (docs/adr/0102). */
export class ValidatorCandidates {
  /** Serializes writes: the last of two for one address wins, in the store and here. */
  private readonly turns = new Turns();

  private constructor(
    private readonly store: ValidatorStore,
    private readonly candidates: Map<Address, boolean>,
    private readonly random: () => number,
  ) {}

  static async open(store: ValidatorStore, random: () => number = Math.random): Promise<ValidatorCandidates> {
    return new ValidatorCandidates(store, await store.listCandidates(), random);
  }

  list(): Candidates {
    return this.candidates;
  }

  /**
   * Durable when it resolves.
   * @throws RequestError TOO_MANY_CANDIDATES; the database's error
   */
  propose(address: Address, add: boolean): Promise<void> {
    return this.turns.take(async () => {
      if (this.candidates.size >= MAX_CANDIDATES && !this.candidates.has(address))
        throw new RequestError('TOO_MANY_CANDIDATES', `there are ${MAX_CANDIDATES} candidates already`);
      await this.store.putCandidate(address, add);
      this.candidates.set(address, add);
    });
  }

  discard(address: Address): Promise<void> {
    return this.turns.take(async () => {
      await this.store.removeCandidate(address);
      this.candidates.delete(address);
    });
  }

  /** The vote for a block on top of the head; undefined when none would count. */
  chooseVote({ ledger, rules }: BftChain): ValidatorVote | undefined {
    const after = ledger.snapshot();
    if (rules.settingsAt(after.number + 1).validatorContract !== undefined) return undefined;
    return chooseVote(this.candidates, after, this.random);
  }
}
