import type { Rules } from '../forks/rules.js';
import type { Word } from '../word/word.js';
import { Block } from './block.js';
import { DECODED, OP, endsBlock, endsRun, immediateSize } from './opcode.js';

/** The code that a program is of. */
interface Decodable {
  readonly bytes: Uint8Array;
  isDestination(pc: number): boolean;
  immediate(pc: number): Word;
}

/**
 * A code in arrays, with operands parsed, and with gas and stack height checked once a block.
 *
 * Decoded on demand, from an entry to the next opcode that ends the flow, so that large init code of which little runs
 * costs little. A block ends where gas is observable (GAS, SSTORE, calls, creations) and where jumps start or end.
 */
export class Program {
  readonly operations: number[] = [];
  readonly operands: Word[] = [];
  /** Position in the code, by operation. */
  readonly positions: number[] = [];
  /** By operand of BEGIN. */
  readonly blocks: Block[] = [];
  private readonly entries = new Map<number, number>();

  constructor(
    private readonly code: Decodable,
    private readonly rules: Rules,
  ) {}

  /** The operation with which the code starts. */
  get start(): number {
    return this.entries.get(0) ?? this.decode(0);
  }

  /** The index of the operation at the jump's target, or -1 without a JUMPDEST there. */
  destination(pc: Word): number {
    if (typeof pc !== 'number') return -1;
    const known = this.entries.get(pc);
    // The start of the code is an entry whatever is there.
    if (known !== undefined && pc !== 0) return known;
    return this.code.isDestination(pc) ? (known ?? this.decode(pc)) : -1;
  }

  /** Makes the jump at the operation a direct one; false when its target is invalid. */
  link(index: number): boolean {
    const target = this.destination(this.operands[index] as Word);
    if (target < 0) return false;
    const isPlain = this.operations[index] === DECODED.PUSH_JUMP;
    this.operations[index] = isPlain ? DECODED.GOTO : DECODED.GOTO_IF;
    this.operands[index] = target;
    return true;
  }

  /** Gas that was taken for the opcode at `pc` and for those behind it in its block. */
  gasFrom(pc: number): number {
    const { bytes } = this.code;
    let gas = 0;
    for (let at = pc; at < bytes.length;) {
      const op = bytes[at] as number;
      if (op === OP.JUMPDEST && at !== pc) break;
      const rule = this.rules.opcodes[op];
      gas += rule?.gas ?? 0;
      if (rule === undefined || endsBlock(op)) break;
      at += 1 + immediateSize(op);
    }
    return gas;
  }

  private decode(entry: number): number {
    const first = this.operations.length;
    let block = this.open(entry);
    this.entries.set(entry, first);
    for (let pc = entry; ;) {
      const op = this.opcodeAt(pc);
      if (op === OP.JUMPDEST && pc !== entry) {
        const known = this.entries.get(pc);
        if (known !== undefined) {
          this.emit(DECODED.GOTO, known, pc);
          return first;
        }
        this.entries.set(pc, this.operations.length);
        block = this.open(pc);
      }
      const rule = this.rules.opcodes[op];
      if (rule === undefined) {
        this.emit(OP.INVALID, op, pc);
        return first;
      }
      block.count(rule);
      const next = pc + 1 + immediateSize(op);
      const last = this.emitOpcode(op, pc, block);
      if (endsRun(last)) return first;
      pc = last === op ? next : next + 1;
      if (endsBlock(last)) block = this.open(pc);
    }
  }

  /** @returns the opcode, or that of the jump behind it which is taken together with it */
  private emitOpcode(op: number, pc: number, block: Block): number {
    const size = immediateSize(op);
    if (size === 0) {
      if (op === OP.PUSH0) this.emit(OP.PUSH1, 0, pc);
      else if (op === OP.PC) this.emit(OP.PUSH1, pc, pc);
      else if (op !== OP.JUMPDEST) this.emit(op, 0, pc);
      return op;
    }
    const following = this.opcodeAt(pc + 1 + size);
    if (following === OP.JUMP || following === OP.JUMPI) {
      const jump = this.rules.opcodes[following];
      if (jump !== undefined) block.count(jump);
      this.emit(following === OP.JUMP ? DECODED.PUSH_JUMP : DECODED.PUSH_JUMPI, this.code.immediate(pc), pc);
      return following;
    }
    this.emit(OP.PUSH1, this.code.immediate(pc), pc);
    return op;
  }

  private opcodeAt(pc: number): number {
    return this.code.bytes[pc] ?? OP.STOP;
  }

  private open(pc: number): Block {
    const block = new Block();
    this.emit(DECODED.BEGIN, this.blocks.length, pc);
    this.blocks.push(block);
    return block;
  }

  private emit(operation: number, operand: Word, pc: number): void {
    this.operations.push(operation);
    this.operands.push(operand);
    this.positions.push(pc);
  }
}
