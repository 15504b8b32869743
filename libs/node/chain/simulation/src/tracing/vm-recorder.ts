import type { VmEffect, VmOperation, VmTrace } from '@tetrad/api-node';
import type { AnsweredMessage, Evm, Frame, FrameOutcome, StepListener, Word } from '@tetrad/node-evm';
import { isPlainPrecompile } from './call-recorder.js';
import { OP, nameOfOpcode } from './opcodes.js';
import { costOfLast, costOfMessage } from './step-cost.js';
import { BYTES_OF_A_TURN, type TraceBudget } from './trace-budget.js';
import { writtenArea, type Area } from './written-area.js';

/** Bytes of an opcode in an answer, without words and memory, and of one word. */
const STEP_BYTES = 120;
const WORD_BYTES = 70;

/** The last opcode of a call; what it did is known at the next event. */
interface OpenOperation {
  readonly operation: VmOperation;
  readonly effect: VmEffect;
  readonly op: number;
  readonly gas: number;
  readonly writes: Area | undefined;
  isPriced: boolean;
}

interface OpenCall {
  readonly trace: VmTrace;
  /** In front of the index of an opcode. */
  readonly prefix: string;
  last: OpenOperation | undefined;
}

/** Records every opcode with what it did, in a tree of calls, as OpenEthereum's `vmTrace`. */
export class VmRecorder implements StepListener {
  private top: VmTrace = { code: '0x', ops: [] };
  /** By depth. */
  private readonly open: OpenCall[] = [];
  private bytesOfTurn = 0;

  /**
   * @param budget - bytes left for all traces of the answer
   * @param index - of the transaction in its block
   */
  constructor(
    private readonly budget: TraceBudget,
    private readonly index: number,
  ) {}

  /** Without opcodes where nothing was executed. */
  get trace(): VmTrace {
    return this.top;
  }

  step(evm: Evm, frame: Frame, op: number): void {
    const call = this.open[frame.depth];
    if (call === undefined) return;
    this.settle(evm, frame);
    const { stack, rules } = evm;
    const peek = (at: number): Word =>
      frame.top - at > frame.base ? (stack[frame.top - 1 - at] as Word) : 0;
    const store = op === OP.SSTORE ? { key: hexOf(peek(0)), val: hexOf(peek(1)) } : null;
    const effect: VmEffect = { mem: null, push: [], store, used: 0 };
    this.spend(STEP_BYTES + call.prefix.length + (store === null ? 0 : 2 * WORD_BYTES));
    const operation: VmOperation = {
      cost: 0,
      ex: effect,
      pc: frame.pc,
      sub: null,
      op: nameOfOpcode(rules, op),
      idx: `${call.prefix}${call.trace.ops.length}`,
    };
    call.trace.ops.push(operation);
    const writes = writtenArea(op, peek);
    call.last = { operation, effect, op, gas: frame.gas, writes, isPriced: false };
  }

  needsTurn(): boolean {
    if (this.bytesOfTurn < BYTES_OF_A_TURN) return false;
    this.bytesOfTurn = 0;
    return true;
  }

  enter({ depth, parent, code, gasLimit }: Frame): void {
    const trace = this.begin(code.bytes);
    this.open.length = depth;
    if (parent === undefined) {
      this.top = trace;
      this.open[0] = { trace, prefix: `${this.index}-`, last: undefined };
      return;
    }
    const prefix = this.attach(parent, trace, gasLimit);
    this.open[depth] = { trace, prefix: `${prefix}-`, last: undefined };
  }

  answered(message: AnsweredMessage, _outcome: FrameOutcome, { frame }: Evm): void {
    if (frame === undefined) return;
    // Precompiles have no code and no place in the trees of calls either.
    const trace = isPlainPrecompile(message) ? null : this.begin(new Uint8Array(0));
    this.attach(frame, trace, message.gas);
  }

  leave(frame: Frame, outcome: FrameOutcome, evm: Evm): void {
    const { last } = this.open[frame.depth] ?? {};
    this.open.length = frame.depth;
    if (last === undefined) return;
    const { operation, effect, op, gas } = last;
    const hasFailed = outcome.failure !== undefined && op !== OP.REVERT;
    operation.cost = costOfLast(evm, frame, { op, gas, outcome });
    if (hasFailed) operation.ex = null;
    else effect.used = gas - operation.cost;
  }

  /** Completes the record of the last opcode of a frame, which succeeded. */
  private settle({ rules, stack }: Evm, frame: Frame): void {
    const { last } = this.open[frame.depth] ?? {};
    if (last === undefined) return;
    const { operation, effect, op, gas, writes, isPriced } = last;
    if (!isPriced) operation.cost = gas - frame.gas;
    effect.used = frame.gas;
    const pushed = rules.opcodes[op]?.outputs ?? 0;
    this.spend(WORD_BYTES * pushed);
    effect.push = stack.slice(Math.max(frame.base, frame.top - pushed), frame.top).map(hexOf);
    if (writes === undefined || writes.offset + writes.size > frame.memory.size) return;
    this.spend(2 * writes.size);
    effect.mem = { data: bytesOf(frame.memory.area(writes.offset, writes.size)), off: writes.offset };
  }

  /**
   * Prices the opcode that sent a message, with the gas that it forwarded, and gives it the execution of that.
   * @returns the index of the opcode
   */
  private attach(sender: Frame, trace: VmTrace | null, lent: number): string {
    const last = this.open[sender.depth]?.last;
    if (last === undefined) return `${this.index}`;
    last.isPriced = true;
    last.operation.cost = costOfMessage(sender, { gas: last.gas, lent, isCreation: false });
    last.operation.sub = trace;
    return last.operation.idx;
  }

  private begin(code: Uint8Array): VmTrace {
    this.spend(STEP_BYTES + 2 * code.length);
    return { code: bytesOf(code), ops: [] };
  }

  private spend(bytes: number): void {
    this.budget.spend(bytes);
    this.bytesOfTurn += bytes;
  }
}

const hexOf = (word: Word) => `0x${word.toString(16)}`;

function bytesOf({ buffer, byteOffset, length }: Uint8Array): string {
  return `0x${Buffer.from(buffer, byteOffset, length).toString('hex')}`;
}
