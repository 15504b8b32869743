import type { Ledger } from '@tetrad/node-ledger';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import { TransactionTraces } from './transaction-traces.js';

/** The traces of transactions on this chain; undefined when tracing is off. */
export function openTransactionTraces(
  { tracing }: Pick<ServiceEnvironment, 'tracing'>,
  ledger: Pick<Ledger, 'onBlock'>,
): TransactionTraces | undefined {
  if (tracing === undefined) return undefined;
  const traces = new TransactionTraces(tracing.tracer, systemClock);
  ledger.onBlock((block) => traces.stored(block));
  return traces;
}
