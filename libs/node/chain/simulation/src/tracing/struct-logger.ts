import {
  addressFromWord,
  type AnsweredMessage,
  type Frame,
  type FrameOutcome,
  type Evm,
  type StepListener,
  type Word,
} from '@tetrad/node-evm';
import { OP, nameOfOpcode } from './opcodes.js';
import { costOfLast, costOfMessage } from './step-cost.js';
import type { StructLog, StructLogOptions } from './struct-log.js';
import { BYTES_OF_A_TURN, type TraceBudget } from './trace-budget.js';

/** Bytes of a step in an answer, without its lists, and of one word in them. */
const STEP_BYTES = 100;
export const WORD_BYTES = 69;

/** The last opcode of an open frame; its cost and the value it loaded are known at the next event. */
interface OpenStep {
  readonly log: StructLog;
  readonly op: number;
  readonly gas: number;
  /** The slot that an SLOAD names. */
  readonly loads: Word | undefined;
  isPriced: boolean;
}

/** Records every opcode, as geth's struct logger does. */
export class StructLogger implements StepListener {
  readonly logs: StructLog[] = [];
  /** By depth; undefined when the step was cut. */
  protected readonly open: (OpenStep | undefined)[] = [];
  /** Contract → slots that it has touched, with their values. */
  protected readonly shown = new Map<string, Readonly<Record<string, string>>>();
  private bytesOfTurn = 0;

  constructor(
    protected readonly options: StructLogOptions,
    private readonly budget: TraceBudget,
  ) {}

  step(evm: Evm, frame: Frame, op: number): void {
    this.settle(evm, frame);
    const { limit = 0 } = this.options;
    if (limit > 0 && this.logs.length >= limit) {
      this.open[frame.depth] = undefined;
      return;
    }
    this.spend(this.sizeOf(frame));
    const log = this.describe(evm, frame, op);
    this.logs.push(log);
    const height = frame.top - frame.base;
    const top = evm.stack[frame.top - 1];
    const loads = op === OP.SLOAD && height > 0 ? top : undefined;
    this.open[frame.depth] = { log, op, gas: frame.gas, loads, isPriced: false };
    if (op === OP.SSTORE && height > 1)
      this.showSlot(frame, log, top as Word, evm.stack[frame.top - 2] as Word);
  }

  /** Recording memory takes time that the gas of the steps does not reflect. */
  needsTurn(): boolean {
    if (this.bytesOfTurn < BYTES_OF_A_TURN) return false;
    this.bytesOfTurn = 0;
    return true;
  }

  enter(frame: Frame): void {
    this.open[frame.depth] = undefined;
    const { parent, gasLimit, isCreation } = frame;
    if (parent !== undefined) this.priceMessage(parent, { lent: gasLimit, isCreation });
  }

  answered({ gas, kind }: AnsweredMessage, _outcome: FrameOutcome, { frame }: Evm): void {
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    if (frame !== undefined) this.priceMessage(frame, { lent: gas, isCreation });
  }

  leave(frame: Frame, outcome: FrameOutcome, evm: Evm): void {
    const last = this.open[frame.depth];
    if (last === undefined) return;
    this.settle(evm, frame);
    const { log, op, gas } = last;
    log.gasCost = costOfLast(evm, frame, { op, gas, outcome });
    if (outcome.failure !== undefined && op !== OP.REVERT) log.error = outcome.failure;
  }

  /** Completes the record of the last opcode of a frame. */
  protected settle({ journal }: Evm, frame: Frame): void {
    const last = this.open[frame.depth];
    if (last === undefined) return;
    if (!last.isPriced) last.log.gasCost = last.gas - frame.gas;
    if (last.op === OP.SSTORE || last.op === OP.SELFDESTRUCT) setRefund(last.log, journal.refund);
    const value = last.loads === undefined ? undefined : frame.account.slots.get(last.loads)?.value;
    if (value !== undefined) this.showSlot(frame, last.log, last.loads as Word, value);
  }

  private priceMessage(
    sender: Frame,
    message: { readonly lent: number; readonly isCreation: boolean },
  ): void {
    const last = this.open[sender.depth];
    if (last === undefined) return;
    last.isPriced = true;
    last.log.gasCost = costOfMessage(sender, { gas: last.gas, ...message });
  }

  protected spend(bytes: number): void {
    this.budget.spend(bytes);
    this.bytesOfTurn += bytes;
  }

  private sizeOf({ top, base, memory, returnData }: Frame): number {
    const { disableStack, enableMemory, enableReturnData } = this.options;
    const words = (disableStack === true ? 0 : top - base) + (enableMemory === true ? memory.size / 32 : 0);
    return STEP_BYTES + words * WORD_BYTES + (enableReturnData === true ? 2 * returnData.length : 0);
  }

  protected describe({ rules, stack, journal }: Evm, frame: Frame, op: number): StructLog {
    const { disableStack, enableMemory, enableReturnData } = this.options;
    const { pc, gas, depth, base, top, memory, returnData } = frame;
    const words = disableStack === true ? [] : stack.slice(base, top);
    return {
      pc,
      op: nameOfOpcode(rules, op),
      gas,
      gasCost: 0,
      depth: depth + 1,
      ...(journal.refund === 0 ? {} : { refund: journal.refund }),
      ...(disableStack === true ? {} : { stack: words.map((word) => `0x${word.toString(16)}`) }),
      ...(enableMemory === true ? { memory: memoryWords(memory.area(0, memory.size)) } : {}),
      ...(enableReturnData === true && returnData.length > 0 ? { returnData } : {}),
    };
  }

  private showSlot({ account }: Frame, log: StructLog, slot: Word, value: Word): void {
    if (this.options.disableStorage === true) return;
    const contract = addressFromWord(account.key);
    const shown = { ...this.shown.get(contract), [digitsOf(slot)]: digitsOf(value) };
    this.shown.set(contract, shown);
    this.spend(2 * WORD_BYTES * Object.keys(shown).length);
    log.storage = shown;
  }
}

function setRefund(log: StructLog, refund: number): void {
  if (refund === 0) delete log.refund;
  else log.refund = refund;
}

/** The word in 64 digits, without 0x. */
function digitsOf(word: Word): string {
  return word.toString(16).padStart(64, '0');
}

/** The words of a memory in 64 digits each, without 0x; its size is a multiple of 32. */
function memoryWords(memory: Uint8Array): string[] {
  const digits = Buffer.from(memory.buffer, memory.byteOffset, memory.length).toString('hex');
  return Array.from({ length: memory.length / 32 }, (_, n) => digits.slice(n * 64, n * 64 + 64));
}
