import {
  FAILURE,
  addressFromWord,
  hashFromWord,
  type AnsweredMessage,
  type Frame,
  type FrameKind,
  type FrameOutcome,
  type Evm,
  type StepListener,
  type Word,
} from '@tetrad/node-evm';
import type { Address } from '@tetrad/types';
import type { CallFrame } from './call-frame.js';
import { OP, isLog } from './opcodes.js';
import type { TraceBudget } from './trace-budget.js';

export interface CallTraceOptions {
  readonly onlyTopCall: boolean;
  readonly withLog: boolean;
  /** For a flat list: without calls to precompiles that move no wei, and with the addresses of failed creations. */
  readonly isFlat?: boolean;
  /** Reads the text of a revert. */
  readonly revertReason: (returnData: Uint8Array) => string | undefined;
  /** Bytes left for all traces of the answer. */
  readonly budget: TraceBudget;
}

/** Bytes of a call in an answer, without its data. */
const FRAME_BYTES = 250;

const NOTHING = new Uint8Array(0);

/** A message of any kind, as it begins. */
interface Begun {
  readonly kind: FrameKind;
  readonly from: Address;
  readonly to: Word;
  readonly value: Word;
  readonly gas: number;
  readonly input: Uint8Array;
}

interface OpenFrame {
  readonly frame: CallFrame;
  /** How many logs there were before the LOG that comes next. */
  logsBefore: number | undefined;
  /** The frame for the transfer of the next SELFDESTRUCT. */
  destroys: CallFrame | undefined;
}

/** Records every message that starts or fails to. */
export class CallRecorder implements StepListener {
  top: CallFrame | undefined;
  private readonly open: OpenFrame[] = [];

  constructor(private readonly options: CallTraceOptions) {}

  step(evm: Evm, frame: Frame, op: number): void {
    const current = this.open[frame.depth];
    if (current === undefined) return;
    this.settleLog(current, evm);
    if (isLog(op) && this.options.withLog && this.shows(frame.depth))
      current.logsBefore = evm.journal.logs.length;
    if (op === OP.SELFDESTRUCT && frame.top > frame.base)
      current.destroys = destruction(frame, evm.stack[frame.top - 1] as Word);
  }

  enter(frame: Frame): void {
    const { kind, depth, codeAddress, value, gasLimit, parent } = frame;
    const input = frame.isCreation ? frame.code.bytes : frame.input;
    // A delegate call is sent by the account in whose name its caller runs.
    const from = addressFromWord(parent?.account.key ?? frame.caller);
    const begun = this.begin({ kind, from, to: codeAddress, value, gas: gasLimit, input }, depth);
    this.open.length = depth;
    this.open.push({ frame: begun, logsBefore: undefined, destroys: undefined });
  }

  leave(frame: Frame, outcome: FrameOutcome, evm: Evm): void {
    const closed = this.open.pop();
    if (closed === undefined) return;
    if (outcome.failure === undefined) {
      this.settleLog(closed, evm);
      if (closed.destroys !== undefined) this.addDestruction(closed.frame, closed.destroys);
    }
    this.end(closed.frame, outcome, frame.depth);
  }

  answered(message: AnsweredMessage, outcome: FrameOutcome): void {
    const { kind, caller, target, value, gas, input, depth } = message;
    if (this.options.isFlat === true && isPlainPrecompile(message)) return;
    const begun = { kind, from: addressFromWord(caller), to: target, value, gas, input };
    this.end(this.begin(begun, depth), outcome, depth);
  }

  private begin({ kind, from, to, value, gas, input }: Begun, depth: number): CallFrame {
    const shows = this.shows(depth);
    if (shows) this.options.budget.spend(FRAME_BYTES + 2 * input.length);
    const frame: CallFrame = {
      type: kind,
      from,
      to: addressFromWord(to),
      ...(kind === 'STATICCALL' ? {} : { value: BigInt(value) }),
      gas: BigInt(gas),
      gasUsed: 0n,
      input: shows ? input : NOTHING,
    };
    const parent = depth === 0 ? undefined : this.open[depth - 1]?.frame;
    if (parent === undefined) this.top = frame;
    else this.addTo(parent, frame);
    return frame;
  }

  private end(frame: CallFrame, { gasUsed, output, failure }: FrameOutcome, depth: number): void {
    const { budget, revertReason } = this.options;
    frame.gasUsed = BigInt(gasUsed);
    if (this.shows(depth) && output.length > 0) {
      budget.spend(2 * output.length);
      frame.output = output;
    }
    if (failure === undefined) return;
    frame.error = failure;
    if (frame.type.startsWith('CREATE') && this.options.isFlat !== true) delete frame.to;
    const reason =
      frame.output === undefined || failure !== FAILURE.reverted ? undefined : revertReason(output);
    if (reason !== undefined) frame.revertReason = reason;
  }

  /** Takes over the log that the last opcode has written, if it has. */
  private settleLog(current: OpenFrame, { journal: { logs } }: Evm): void {
    const { frame, logsBefore } = current;
    current.logsBefore = undefined;
    const log = logsBefore === undefined || logs.length === logsBefore ? undefined : logs[logsBefore];
    if (log === undefined) return;
    this.options.budget.spend(FRAME_BYTES + 2 * log.data.length);
    (frame.logs ??= []).push({
      address: addressFromWord(log.address),
      topics: log.topics.map(hashFromWord),
      data: log.data,
      position: frame.calls?.length ?? 0,
    });
  }

  private addDestruction(parent: CallFrame, destruction: CallFrame): void {
    if (this.options.onlyTopCall) return;
    this.options.budget.spend(FRAME_BYTES);
    this.addTo(parent, destruction);
  }

  private shows(depth: number): boolean {
    return !this.options.onlyTopCall || depth === 0;
  }

  private addTo(parent: CallFrame, frame: CallFrame): void {
    if (!this.options.onlyTopCall) (parent.calls ??= []).push(frame);
  }
}

/** Whether it is a call of a contract to a precompile that moves no wei. */
export function isPlainPrecompile({ isPrecompile, depth, kind, value }: AnsweredMessage): boolean {
  const moves = (kind === 'CALL' || kind === 'CALLCODE') && value !== 0;
  return isPrecompile && depth > 0 && !moves;
}

/** The transfer of SELFDESTRUCT is shown as a separate call. */
function destruction({ account }: Frame, beneficiary: Word): CallFrame {
  return {
    type: 'SELFDESTRUCT',
    from: addressFromWord(account.key),
    to: addressFromWord(beneficiary),
    value: BigInt(account.balance),
    gas: 0n,
    gasUsed: 0n,
    input: NOTHING,
  };
}
