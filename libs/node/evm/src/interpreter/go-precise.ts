import type { Program } from '../code/program.js';
import type { Frame } from './frame.js';
import { SIGNAL, type Signal } from './signal.js';

/**
 * Switches the frame to the precise loop permanently: it will fail within the block, or come close to it.
 *
 * In: charged — whether the gas of the block was taken; that of the opcodes from here on is then returned
 */
export function goPrecise(frame: Frame, program: Program, charged: boolean): Signal {
  frame.pc = program.positions[frame.index] as number;
  if (charged) frame.gas += program.gasFrom(frame.pc);
  frame.precise = true;
  return SIGNAL.precise;
}
