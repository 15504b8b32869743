import type { OpcodeRule } from '../forks/rules.js';

/** Maximum stack height of a frame, in words. */
export const STACK_LIMIT = 1_024;

/** A basic block: opcodes that run one after the other, with gas and stack height checked once for all of them. */
export class Block {
  /** Static gas of all opcodes. */
  gas = 0;
  /** Minimum stack height on entry, in words. */
  needs = 0;
  /** Maximum stack height on entry, in words. */
  room = STACK_LIMIT;
  private height = 0;

  count({ gas, inputs, outputs }: OpcodeRule): void {
    this.gas += gas;
    this.needs = Math.max(this.needs, inputs - this.height);
    this.height += outputs - inputs;
    this.room = Math.min(this.room, STACK_LIMIT - this.height);
  }
}
