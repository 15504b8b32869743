import type { ethExecutionMethods } from '@tetrad/api-node';
import { outcomeOf } from '@tetrad/node-execution';
import { Simulator } from '@tetrad/node-simulation';
import type { Handlers } from '@tetrad/rpc';
import type { NodeParts } from './node-parts.js';

export function executionHandlers(
  parts: Pick<NodeParts, 'executions' | 'ledger' | 'limits' | 'pending' | 'privateState' | 'runner'>,
): Handlers<typeof ethExecutionMethods> {
  const simulator = new Simulator(parts);
  return {
    eth_call: ([request, reference, overrides, blockOverrides], { signal }) =>
      simulator.call(request, { reference, overrides, blockOverrides, signal }),
    // A client's next transaction runs after its earlier ones.
    eth_estimateGas: ([request, reference = 'pending', overrides, blockOverrides], { signal }) =>
      simulator.estimate(request, { reference, overrides, blockOverrides, signal }),
    async eth_createAccessList([request, reference], { signal }) {
      const { accessList, outcome } = await simulator.createAccessList(request, { reference, signal });
      const { gasUsed, failure } = outcomeOf(outcome);
      const entries = accessList.map(({ address, storageKeys }) => ({
        address,
        storageKeys: [...storageKeys],
      }));
      return { accessList: entries, gasUsed, ...(failure === undefined ? {} : { error: failure.message }) };
    },
  };
}
