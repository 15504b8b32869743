import type { Address } from '@tetrad/types';
import type { ChainEngine } from '../open/chain-engine.js';
import type { Ordering, OrderingParts } from './ordering.js';
import { startBft } from './start-bft.js';
import { startRaft } from './start-raft.js';

/**
 * Takes part in ordering blocks from the head on.
 * @returns undefined on a node that only follows the chain
 * @throws OperatorError with one line for the operator
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

/** Recipients of the engine's messages: the validators of the next block. */
export function decidersOf(engine: ChainEngine): readonly Address[] {
  return engine.kind === 'bft' ? engine.ledger.snapshot().validators : [];
}
