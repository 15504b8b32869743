import type { InterpreterStep } from '@ethereumjs/evm';
import type { Machine } from './machine.js';

/**
 * Has the EVM wait for `record` at every step.
 *
 * The EVM has no way to hear of a failure there, so the first one is kept; the result throws it.
 */
export function onEveryStep(machine: Machine, record: (step: InterpreterStep) => Promise<void>): () => void {
  let failure: { readonly error: unknown } | undefined;
  machine.evm.events?.on('step', (step: InterpreterStep, resume?: (result?: unknown) => void) => {
    record(step)
      .catch((error: unknown) => (failure ??= { error }))
      .finally(() => resume?.());
  });
  return () => {
    if (failure !== undefined) throw failure.error;
  };
}
