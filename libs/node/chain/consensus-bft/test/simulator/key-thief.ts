import { parseHash } from '@tetrad/types';
import type { View } from '../../src/messages/consensus-message.js';
import { decodeProposedBlock } from '../../src/messages/proposed-block.js';
import { AdversaryMessages } from './adversary-messages.js';
import type { StolenKind } from './scenario.js';
import type { SimulatedChain } from './simulated-chain.js';
import type { ValidatorKey } from './validator-keys.js';

/** Rounds of each flood, and heights from the open one on. */
const ROUNDS = 50;
const HEIGHTS = 3;
const NO_BLOCK = parseHash(`0x${'ab'.repeat(32)}`);

/** Signs with the key of a validator that knows nothing of it. */
export class KeyThief {
  private readonly messages: AdversaryMessages;

  constructor(
    private readonly key: ValidatorKey,
    private readonly kinds: readonly StolenKind[],
    private readonly format: 'qbft' | 'ibft',
  ) {
    this.messages = new AdversaryMessages(key, format);
  }

  /** Messages of many rounds of the next heights. */
  flood(chain: SimulatedChain, nowMs: number): Uint8Array[] {
    const views = Array.from({ length: ROUNDS }, (_, index) => ({
      height: chain.height + 1 + (index % HEIGHTS),
      round: index,
    }));
    return views.flatMap((view) => this.kinds.map((kind) => this.message(kind, view, chain, nowMs)));
  }

  private message(kind: StolenKind, view: View, chain: SimulatedChain, nowMs: number): Uint8Array {
    switch (kind) {
      case 'prepare':
        return this.messages.prepare(view, NO_BLOCK);
      case 'roundChange':
        return this.messages.roundChange({ ...view, round: view.round + 1 });
      case 'commit': {
        const encoded = chain.build({ ...this.key, nowMs, vanity: Uint8Array.of(1) });
        return this.messages.commit(view, decodeProposedBlock(encoded, this.format), true);
      }
    }
  }
}
