import type { Address } from '@tetrad/types';
import type { ChainEngine } from './chain-engine.js';
import type { Ordering, OrderingParts } from './ordering.js';
import { startBft } from './start-bft.js';
import { startRaft } from './start-raft.js';

/**
 * Takes part in ordering blocks from the head on.
 *
 * Out:   undefined on a node that only follows what others decide
 * Fails: OperatorError with one line for the operator
 */
export async function startOrdering(
  engine: ChainEngine,
  parts: OrderingParts,
): Promise<Ordering | undefined> {
  switch (engine.kind) {
    case 'bft':
      return parts.config.validator ? startBft(engine, parts) : undefined;
    case 'raft':
      return startRaft(engine, parts);
  }
}

/** To whom messages of the engine go: those who decide on the block that is being made. */
export function decidersOf(engine: ChainEngine): readonly Address[] {
  return engine.kind === 'bft' ? engine.ledger.snapshot().validators : [];
}
