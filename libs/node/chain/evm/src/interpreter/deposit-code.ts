import { Code } from '../code/code.js';
import { FAILURE } from './failure.js';
import type { Frame } from './frame.js';
import { GAS } from './gas.js';
import type { Evm } from './evm-interface.js';

/**
 * Stores the output of a creation as the code of its account.
 * @returns the failure, or undefined
 */
export function depositCode(evm: Evm, frame: Frame, output: Uint8Array): string | undefined {
  const { rules, maxCodeSize } = evm;
  if (output.length > maxCodeSize) return FAILURE.maxCodeSize;
  if (rules.reservedPrefix && output[0] === 0xef) return FAILURE.invalidCode;
  const gas = output.length * GAS.codeByte;
  if (frame.gas < gas) return FAILURE.codeStoreOutOfGas;
  frame.gas -= gas;
  if (output.length > 0) frame.account.setCode(frame.world.codes.add(new Code(output)));
  return undefined;
}
