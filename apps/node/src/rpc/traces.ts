import type { debugTraceMethods } from '@tetrad/api-node';
import { Tracer } from '@tetrad/node-simulation';
import type { Handlers } from '@tetrad/rpc';
import { structFormOf } from './goquorum-names.js';
import type { NodeParts } from './node-parts.js';

export function traceHandlers(
  parts: Pick<
    NodeParts,
    | 'executions'
    | 'identity'
    | 'ledger'
    | 'limits'
    | 'pending'
    | 'privacy'
    | 'privateState'
    | 'receipts'
    | 'runner'
  >,
): Handlers<typeof debugTraceMethods> {
  const tracer = new Tracer({ ...parts, structForm: structFormOf(parts.identity) });
  return {
    debug_traceBlockByNumber: ([reference, options], { signal }) =>
      tracer.traceBlock(reference, options ?? {}, signal),
    debug_traceBlockByHash: ([blockHash, options], { signal }) =>
      tracer.traceBlock({ blockHash }, options ?? {}, signal),
    debug_traceCall: ([request, reference, options], { signal }) =>
      tracer.traceCall(request, reference, { ...options, signal }),
  };
}
