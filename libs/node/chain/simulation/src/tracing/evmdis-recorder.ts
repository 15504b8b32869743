import type { AnsweredMessage, Evm, Frame, FrameOutcome, StepListener, Word } from '@tetrad/node-evm';
import { OP, geth110NameOf } from './opcodes.js';
import { isRefusal } from './step-failure.js';
import { BYTES_OF_A_TURN, type TraceBudget } from './trace-budget.js';

/** One opcode, with the names of GoQuorum's `evmdisTracer`. */
export interface EvmdisStep {
  /** Its number; its name for DELEGATECALL and STATICCALL. */
  readonly op: number | string;
  readonly depth: number;
  /** The words that it left on the stack, the top first, in hex without 0x. */
  readonly result: string[];
  /** Of a JUMPDEST. */
  readonly pc?: number;
  /** Of a PUSH: bytes of the instruction. */
  readonly len?: number;
  /** The rest is of a call. */
  readonly gas?: number;
  readonly to?: string;
  /** Decimal. */
  readonly value?: string;
  input?: Uint8Array;
  error?: string | null;
  return?: Uint8Array | null;
  readonly ops?: EvmdisStep[];
}

/** A call whose opcodes are recorded. */
interface OpenCall {
  readonly ops: EvmdisStep[];
  error?: string | null;
  return?: Uint8Array | null;
}

/** An opcode of which the next event says whether it began. */
interface NextStep {
  readonly depth: number;
  /** Undefined for an opcode outside of the calls that are recorded. */
  readonly recorded: { readonly step: EvmdisStep; readonly previous: readonly string[] } | undefined;
}

/** Bytes of a step in an answer, of a call in addition, of one word, and of one byte of data with its index. */
const SIZE = { step: 40, call: 150, word: 67, byte: 10 } as const;

const NOTHING = new Uint8Array(0);

/**
 * Records what a disassembler needs, as GoQuorum's `evmdisTracer`.
 *
 * What that leaves out is left out here: the opcodes of creations, and after a call the next opcode of the caller, so
 * that the words of the call are those on the stack one opcode later.
 */
export class EvmdisRecorder implements StepListener {
  readonly ops: EvmdisStep[] = [];
  /** The execution, and the calls in it that are open. */
  private readonly open: OpenCall[] = [{ ops: this.ops }];
  private next: NextStep | undefined;
  private bytesOfTurn = 0;

  constructor(private readonly budget: TraceBudget) {}

  step(evm: Evm, frame: Frame, op: number): void {
    this.settle();
    const depth = frame.depth + 1;
    const isRecorded = depth === this.open.length;
    this.next = { depth, recorded: isRecorded ? this.describe(evm, frame, op) : undefined };
  }

  needsTurn(): boolean {
    if (this.bytesOfTurn < BYTES_OF_A_TURN) return false;
    this.bytesOfTurn = 0;
    return true;
  }

  enter({ input }: Frame): void {
    this.settle(input);
  }

  answered({ input }: AnsweredMessage): void {
    this.settle(input);
  }

  leave({ depth }: Frame, { failure, output }: FrameOutcome): void {
    if (this.next?.depth !== depth + 1) return;
    if (isRefusal(failure)) {
      this.next = undefined;
      this.innermost.error = failure;
    } else this.settle(output);
  }

  private get innermost(): OpenCall {
    return this.open.at(-1) as OpenCall;
  }

  /**
   * Takes over the last opcode, which began.
   * @param data - the input of the call, or the output of the frame
   */
  private settle(data: Uint8Array = NOTHING): void {
    if (this.next === undefined) return;
    const { depth, recorded } = this.next;
    this.next = undefined;
    if (recorded === undefined) {
      this.open.length = Math.min(this.open.length, depth);
      return;
    }
    const { step, previous } = recorded;
    const call = this.innermost;
    call.ops.at(-1)?.result.push(...previous);
    call.ops.push(step);
    if (step.op === OP.RETURN || step.op === OP.STOP) call.return = this.copy(data);
    if (step.ops === undefined) return;
    step.input = this.copy(data);
    this.open.push(step as OpenCall);
  }

  private copy(data: Uint8Array): Uint8Array {
    this.spend(SIZE.byte * data.length);
    return data;
  }

  private describe({ rules, stack }: Evm, { base, top, pc, depth }: Frame, op: number) {
    const peek = (at: number): Word => (top - at > base ? (stack[top - 1 - at] as Word) : 0);
    const words = wordsLeftBy(this.innermost.ops.at(-1)?.op);
    const call = partsOfCall(op, peek);
    this.spend(SIZE.step + (call === undefined ? 0 : SIZE.call) + SIZE.word * words);
    const name = geth110NameOf(rules, op);
    const step: EvmdisStep = {
      op: op === OP.DELEGATECALL || op === OP.STATICCALL ? name : op,
      depth: depth + 1,
      result: [],
      ...(op === OP.JUMPDEST ? { pc } : {}),
      ...(op >= OP.PUSH1 && op <= OP.PUSH32 ? { len: op - OP.PUSH1 + 2 } : {}),
      ...call,
    };
    return { step, previous: Array.from({ length: words }, (_, at) => peek(at).toString(16)) };
  }

  private spend(bytes: number): void {
    this.budget.spend(bytes);
    this.bytesOfTurn += bytes;
  }
}

function partsOfCall(op: number, peek: (at: number) => Word): Partial<EvmdisStep> | undefined {
  const hasValue = op === OP.CALL || op === OP.CALLCODE;
  if (!hasValue && op !== OP.DELEGATECALL && op !== OP.STATICCALL) return undefined;
  return {
    gas: Number(peek(0)),
    to: peek(1).toString(16),
    ...(hasValue ? { value: peek(2).toString() } : {}),
    error: null,
    return: null,
    ops: [],
  };
}

/** First and last opcodes that leave one word, of those that the tracer knows: none is newer than Byzantium. */
const ONE_WORD: readonly (readonly [number, number])[] = [
  [0x01, 0x0b],
  [0x10, 0x1a],
  [0x20, 0x20],
  [0x30, 0x36],
  [0x38, 0x38],
  [0x3a, 0x3b],
  [0x40, 0x45],
  [0x51, 0x51],
  [0x54, 0x54],
  [0x58, 0x5a],
  [OP.PUSH1, OP.PUSH32],
  [0xf0, 0xf2],
];

/** Words on the stack that the tracer counts as the result: a DUP shows what it copied, and a SWAP all down to its word. */
function wordsLeftBy(op: number | string | undefined): number {
  if (typeof op !== 'number') return 0;
  if (op >= OP.DUP1 && op < OP.SWAP1) return op - OP.DUP1 + 2;
  if (op >= OP.SWAP1 && op < OP.LOG0) return op - OP.SWAP1 + 2;
  return ONE_WORD.some(([first, last]) => op >= first && op <= last) ? 1 : 0;
}
