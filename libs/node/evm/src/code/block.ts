import type { OpcodeRule } from '../forks/rules.js';

/** Most words on the stack of a frame. */
export const STACK_LIMIT = 1_024;

/** Opcodes that run one after the other once the first one does: what they need, checked at once. */
export class Block {
  /** Gas that the opcodes cost whatever their operands are. */
  gas = 0;
  /** Words that must be on the stack. */
  needs = 0;
  /** Words that may be on it at most. */
  room = STACK_LIMIT;
  private height = 0;

  count({ gas, inputs, outputs }: OpcodeRule): void {
    this.gas += gas;
    this.needs = Math.max(this.needs, inputs - this.height);
    this.height += outputs - inputs;
    this.room = Math.min(this.room, STACK_LIMIT - this.height);
  }
}
