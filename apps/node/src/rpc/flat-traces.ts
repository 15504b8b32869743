import type { traceMethods } from '@tetrad/api-node';
import { FlatTracer } from '@tetrad/node-simulation';
import type { Handlers } from '@tetrad/rpc';
import type { NodeParts } from './node-parts.js';

export function flatTraceHandlers(
  parts: Pick<NodeParts, 'blockIndex' | 'executions' | 'ledger' | 'limits' | 'privacy' | 'receipts'>,
): Handlers<typeof traceMethods> {
  const tracer = new FlatTracer(parts);
  return {
    trace_transaction: async ([hash], { signal }) => (await tracer.traceTransaction(hash, signal)) ?? null,
    trace_block: ([reference], { signal }) => tracer.traceBlock(reference, signal),
    trace_replayBlockTransactions: ([reference, types], { signal }) =>
      tracer.replayBlock(reference, types, signal),
    trace_replayTransaction: async ([hash, types], { signal }) =>
      (await tracer.replayTransaction(hash, types, signal)) ?? null,
    trace_filter: ([criteria], { signal }) => tracer.filter(criteria, signal),
  };
}
