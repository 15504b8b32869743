import type { EVM, EVMResult, InterpreterStep, Message } from '@ethereumjs/evm';
import type { SimpleStateManager } from '@ethereumjs/statemanager';
import { Address as EvmAddress } from '@ethereumjs/util';
import { bytesFromHex } from '@tetrad/types';
import { callOracle, openOracle } from '../../../../evm/test/fuzz/oracle.js';
import { executionGasOf } from '../../../../evm/test/fuzz/own-run.js';
import type { Scenario } from '../../../../evm/test/fuzz/random-world.js';

/** Listener for EthereumJS' events of an execution. */
export interface OracleListener {
  /** The execution waits for what it returns. */
  step?(step: InterpreterStep, state: SimpleStateManager): Promise<void> | void;
  enter?(message: Message): void;
  leave?(result: EVMResult): void;
}

/**
 * Runs a scenario in EthereumJS with a listener.
 * @returns the state afterwards
 */
export async function runListened(scenario: Scenario, listener: OracleListener): Promise<SimpleStateManager> {
  const { evm, state } = await openOracle(scenario.fork, scenario.pre);
  const events = evm.events as NonNullable<typeof evm.events>;
  events.on('step', (step: InterpreterStep, resume?: () => void) => {
    const work = listener.step?.(step, state);
    if (work === undefined) resume?.();
    else void work.then(() => resume?.());
  });
  events.on('beforeMessage', (message: Message) => listener.enter?.(message));
  events.on('afterMessage', (result: EVMResult) => listener.leave?.(result));
  try {
    await end(evm, state, await callOracle(evm, scenario.request, executionGasOf(scenario)));
    return state;
  } finally {
    for (const name of ['step', 'beforeMessage', 'afterMessage'] as const) events.removeAllListeners(name);
  }
}

/** Deletes what the transaction destroyed and left empty. */
async function end(evm: EVM, state: SimpleStateManager, { execResult }: EVMResult): Promise<void> {
  for (const [address] of execResult.selfdestruct ?? []) {
    // EIP-6780: only what the same transaction made.
    if (evm.common.isActivatedEIP(6780) && execResult.createdAddresses?.has(address) !== true) continue;
    await evm.journal.deleteAccount(new EvmAddress(bytesFromHex(address)));
    await state.clearStorage(new EvmAddress(bytesFromHex(address)));
  }
  await evm.journal.cleanup();
}
