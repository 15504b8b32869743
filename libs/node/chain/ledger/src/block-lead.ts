import type { Clock, SealedHeader } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';

/**
 * How far a sealed block may be ahead of this node's clock in addition: a quorum has accepted it by its clocks, and a
 * node with a slow clock must not reject it.
 */
export const SEALED_LEEWAY_MS = 15_000;

/**
 * How far the headers of sealed blocks may be ahead: as far as the clocks of two peers may be apart. Their seals are final, so
 * the clock is wrong and not the peer; the blocks are held until their time has come.
 */
export const HELD_LEEWAY_MS = 600_000;

const MS = 1000;

interface BlockLeadParts {
  readonly rules: Pick<ConsensusRules, 'timeMsOf'>;
  readonly clock: Clock;
  /** Seconds that a block may be ahead of this node's clock. */
  readonly allowedFutureSeconds?: number;
}

/** How far blocks are ahead of this node's clock. */
export class BlockLead {
  constructor(private readonly parts: BlockLeadParts) {}

  /** The latest time that a block may have been made, by this node's clock. Units: ms since the epoch */
  latestMs(): number {
    return this.parts.clock.now() + (this.parts.allowedFutureSeconds ?? 0) * MS;
  }

  /** Time until the block is no longer ahead of the clock; 0 when it is not. Units: ms */
  aheadMs({ header }: SealedHeader): number {
    return Math.max(0, this.parts.rules.timeMsOf(header) - this.latestMs());
  }

  /** Time until a sealed block may be imported; 0 when it may be now. Units: ms */
  earlyMs(block: SealedHeader): number {
    return Math.max(0, this.aheadMs(block) - SEALED_LEEWAY_MS);
  }
}
