import type { Precompile, PrecompileOutput } from '@tetrad/node-precompiles';
import type { Checkpoint } from '../world/journal.js';
import { FAILURE } from './failure.js';
import type { CallMessage } from './frame.js';
import type { AnsweredMessage } from './hooks.js';
import type { Evm } from './evm-interface.js';
import { NOTHING } from './memory.js';
import { SIGNAL, type Signal } from './signal.js';

/** Runs a precompile instead of a frame. */
export function runPrecompile(
  evm: Evm,
  message: CallMessage,
  precompile: Precompile,
  checkpoint: Checkpoint,
): Signal {
  const finish = (
    gasLeft: number,
    output: PrecompileOutput,
    failure: string = FAILURE.precompile,
  ): Signal => {
    if (output === undefined) evm.journal.revert(checkpoint);
    return end(evm, message, { gasLeft, output, failure });
  };
  if (message.rejection !== null) return finish(0, undefined, message.rejection);
  const gasLeft = message.gas - precompile.gas(message.input);
  if (!(gasLeft >= 0)) return finish(0, undefined, FAILURE.outOfGas);
  const output = precompile.run(message.input, evm.pace);
  if (!(output instanceof Promise)) return finish(gasLeft, output);
  return evm.waitFor(output, (arrived) => finish(gasLeft, arrived));
}

function end(
  evm: Evm,
  message: CallMessage,
  { gasLeft, output, failure }: { gasLeft: number; output: PrecompileOutput; failure: string },
): Signal {
  const { parent, gas, outputAt, outputSize } = message;
  const success = output !== undefined;
  if (parent === undefined || evm.listener?.answered !== undefined) {
    const gasUsed = success ? gas - gasLeft : gas;
    const outcome = { gasUsed, output: output ?? NOTHING, failure: success ? undefined : failure };
    evm.listener?.answered?.(answered(message), outcome, evm);
    if (parent === undefined) {
      evm.outcome = outcome;
      return SIGNAL.switched;
    }
  }
  // The gas was lent to the precompile, but what it used counts as work of the slice.
  evm.giveBack(parent, gas);
  parent.gas -= success ? gas - gasLeft : gas;
  evm.answer(parent, { output: output ?? NOTHING, success, at: outputAt, size: outputSize });
  return SIGNAL.next;
}

function answered({ kind, caller, target, parent, value, input, gas }: CallMessage): AnsweredMessage {
  const sent =
    parent === undefined ? { caller, depth: 0 } : { caller: parent.account.key, depth: parent.depth + 1 };
  return { kind, ...sent, target: target.key, value, input, gas, isPrecompile: true };
}
