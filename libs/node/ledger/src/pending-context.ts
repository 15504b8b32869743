import type { BlockContext } from '@tetrad/node-execution';
import type { Address, Block, Clock } from '@tetrad/types';
import type { ConsensusRules, NextContext } from './consensus-rules.js';

/** Dependencies of the next block besides its parent. */
export interface GrowingChain {
  readonly clock: Clock;
  readonly rules: Pick<ConsensusRules, 'timestampAt' | 'nextContext'>;
  contextAbove(next: NextContext): BlockContext;
}

/** The context of the block that would follow the head if it were made now. */
export function pendingContext(chain: GrowingChain, { header }: Block, proposer: Address): BlockContext {
  const [now, earliest] = [chain.rules.timestampAt(chain.clock.now()), header.timestamp + 1n];
  const timestamp = now > earliest ? now : earliest;
  return chain.contextAbove(chain.rules.nextContext(header, { proposer, timestamp }));
}
