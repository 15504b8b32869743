import type { Program } from '../code/program.js';
import type { Frame } from './frame.js';
import { SIGNAL, type Signal } from './signal.js';

/**
 * Leaves the frame to the precise loop, for good: it fails within the block, or nearly.
 *
 * `charged` says whether the gas of the block was taken; what the opcodes from here on cost is given back then.
 */
export function goPrecise(frame: Frame, program: Program, charged: boolean): Signal {
  frame.pc = program.positions[frame.index] as number;
  if (charged) frame.gas += program.gasFrom(frame.pc);
  frame.precise = true;
  return SIGNAL.precise;
}
