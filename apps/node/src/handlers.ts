import { nodeMethods, nodeStandardMethods } from '@tetrad/api-node';
import type { AnyHandler, MethodTable } from '@tetrad/rpc';
import { blockHandlers } from './rpc/blocks.js';
import { chainHandlers } from './rpc/chain.js';
import { clientHandlers } from './rpc/client.js';
import { debugHandlers } from './rpc/debug.js';
import { ethHandlers } from './rpc/eth.js';
import { executionHandlers } from './rpc/execution.js';
import { filterHandlers } from './rpc/filters.js';
import { ibftHandlers } from './rpc/ibft.js';
import type { NodeParts } from './rpc/node-parts.js';
import { stateHandlers } from './rpc/state.js';
import { transactionHandlers } from './rpc/transactions.js';
import { txpoolHandlers } from './rpc/txpool.js';

/** Definitions of everything a node serves, of all issues; what has no handler yet does not exist for callers. */
export const methods: MethodTable = { ...nodeMethods, ...nodeStandardMethods };

/** Method → handler. */
export function nodeHandlers(parts: NodeParts): Readonly<Record<string, AnyHandler>> {
  return {
    ...blockHandlers(parts),
    ...chainHandlers(parts),
    ...clientHandlers(parts),
    ...debugHandlers(parts),
    ...ethHandlers(parts),
    ...executionHandlers(parts),
    ...filterHandlers(parts),
    ...ibftHandlers(parts),
    ...stateHandlers(parts),
    ...transactionHandlers(parts),
    ...txpoolHandlers(parts),
  };
}
