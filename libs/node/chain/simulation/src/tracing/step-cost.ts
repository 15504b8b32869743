import type { Frame, FrameOutcome, Evm } from '@tetrad/node-evm';

/** Gas that a creation pays for each byte of the code it leaves (Yellow Paper, appendix G). */
const CODE_BYTE_GAS = 200;

/**
 * Cost of the last opcode of a frame, charged or not, as geth counts it.
 * @param options.gas - before the opcode
 */
export function costOfLast(
  { rules }: Evm,
  frame: Frame,
  { op, gas, outcome }: { readonly op: number; readonly gas: number; readonly outcome: FrameOutcome },
): number {
  const constant = rules.opcodes[op]?.gas ?? 0;
  const paid = gas - frame.lostGas;
  if (frame.unpaid > 0) return Number.isFinite(frame.unpaid) ? paid + frame.unpaid : constant;
  if (frame.lostGas > 0) return Math.max(paid, constant);
  const hasDeployed = frame.isCreation && outcome.failure === undefined;
  return gas - frame.gas - (hasDeployed ? CODE_BYTE_GAS * outcome.output.length : 0);
}

/** Cost of an opcode that sent a message, including gas forwarded by a call and excluding gas forwarded by a creation. */
export function costOfMessage(
  sender: Frame,
  { gas, lent, isCreation }: { readonly gas: number; readonly lent: number; readonly isCreation: boolean },
): number {
  return gas - sender.gas - (isCreation ? lent : 0);
}
