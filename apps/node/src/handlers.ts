import { nodeMethods, nodeStandardMethods, restrictedMethods } from '@tetrad/api-node';
import type { AnyHandler, MethodTable } from '@tetrad/rpc';
import { agreementHandlers } from './rpc/agreement.js';
import { blockHandlers } from './rpc/blocks.js';
import { chainExtensionHandlers } from './rpc/chain-extension.js';
import { chainHandlers } from './rpc/chain.js';
import { clientHandlers } from './rpc/client.js';
import { contractRepairHandlers } from './rpc/contract-repairs.js';
import { debugHandlers } from './rpc/debug.js';
import { ethHandlers } from './rpc/eth.js';
import { executionHandlers } from './rpc/execution.js';
import { explorerHandlers } from './rpc/explorer.js';
import { flatTraceHandlers } from './rpc/flat-traces.js';
import { filterHandlers } from './rpc/filters.js';
import { ibftHandlers } from './rpc/ibft.js';
import type { NodeParts } from './rpc/node-parts.js';
import { forkConfigHandlers } from './rpc/fork-config.js';
import { headerHandlers } from './rpc/headers.js';
import { minerHandlers } from './rpc/miner.js';
import { otterscanHandlers } from './rpc/otterscan.js';
import { permissionExplanationHandlers } from './rpc/permissions/explanation-handlers.js';
import { permissionReadHandlers } from './rpc/permissions/read-handlers.js';
import { permissionWriteHandlers } from './rpc/permissions/write-handlers.js';
import { privateSendingHandlers } from './rpc/private-sending.js';
import { privateTransactionHandlers } from './rpc/private-transactions.js';
import { raftHandlers } from './rpc/raft.js';
import { rawTransactionHandlers } from './rpc/raw-transactions.js';
import { restrictedHandlers } from './rpc/restricted.js';
import { simulationHandlers } from './rpc/simulation.js';
import { stateDumpHandlers } from './rpc/state-dumps.js';
import { stateHandlers } from './rpc/state.js';
import { submissionHandlers } from './rpc/submissions.js';
import { traceHandlers } from './rpc/traces.js';
import { transactionHandlers } from './rpc/transactions.js';
import { txpoolHandlers } from './rpc/txpool.js';

/** Definitions of all methods that a node serves; a method without a handler does not exist for callers. */
export const methods: MethodTable = { ...nodeMethods, ...nodeStandardMethods, ...restrictedMethods };

/** Method → handler. */
export function nodeHandlers(parts: NodeParts): Readonly<Record<string, AnyHandler>> {
  return {
    ...agreementHandlers(parts),
    ...blockHandlers(parts),
    ...chainExtensionHandlers(parts),
    ...chainHandlers(parts),
    ...clientHandlers(parts),
    ...contractRepairHandlers(parts),
    ...debugHandlers(parts),
    ...ethHandlers(parts),
    ...executionHandlers(parts),
    ...explorerHandlers(parts),
    ...filterHandlers(parts),
    ...flatTraceHandlers(parts),
    ...forkConfigHandlers(parts),
    ...headerHandlers(parts),
    ...ibftHandlers(parts),
    ...minerHandlers(parts),
    ...otterscanHandlers(parts),
    ...permissionReadHandlers(parts),
    ...permissionExplanationHandlers(parts),
    ...permissionWriteHandlers(parts),
    ...privateSendingHandlers(parts),
    ...privateTransactionHandlers(parts),
    ...raftHandlers(parts),
    ...rawTransactionHandlers(parts),
    ...restrictedHandlers(parts),
    ...simulationHandlers(parts),
    ...stateDumpHandlers(parts),
    ...stateHandlers(parts),
    ...submissionHandlers(parts),
    ...traceHandlers(parts),
    ...transactionHandlers(parts),
    ...txpoolHandlers(parts),
  };
}
