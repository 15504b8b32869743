import type { Rules } from '../forks/rules.js';
import type { Pace, Precompile, PrecompileOutput } from '@tetrad/node-precompiles';
import type { Account } from '../world/account.js';
import type { Journal } from '../world/journal.js';
import type { Word } from '../word/word.js';
import type { BlockContext } from './block-context.js';
import { depositCode } from './deposit-code.js';
import { FAILURE } from './failure.js';
import { Frame, type FrameStart } from './frame.js';
import type { Evm as EvmInterface, StepListener } from './evm-interface.js';
import type { FrameOutcome, Hooks } from './hooks.js';
import { NOTHING, returnMemory, takeMemory } from './memory.js';
import { runFast } from './run-fast.js';
import { runPrecise } from './run-precise.js';
import { SIGNAL, type Signal } from './signal.js';

/** Why an execution is paused. */
export type Pause =
  /** Data is not in memory: `journal.fetch` loads it. */
  | 'missing'
  /** The slice of gas is used up. */
  | 'slice'
  /** A precompile works asynchronously: `work` is its promise. */
  | 'work';

/** Options that frames of one execution share. */
export interface EvmOptions {
  readonly rules: Rules;
  readonly block: BlockContext;
  readonly journal: Journal;
  readonly precompiles: ReadonlyMap<Word, Precompile>;
  readonly origin: Word;
  readonly gasPrice: Word;
  readonly hooks?: Hooks | undefined;
  readonly listener?: StepListener | undefined;
  /** Of the execution, and of precompiles that take long. */
  readonly pace?: Pace | undefined;
  /** Maximum size of deployed code in bytes; replaces the limit of EIP-170. */
  readonly maxCodeSize?: number | undefined;
  /** Gas of a slice; SLICE_GAS when absent. */
  readonly sliceGas?: number | undefined;
}

/** Gas between two looks at the clock; 8 ms of work at most, which precompiles can take (docs/adr/0101). */
export const SLICE_GAS = 100_000;

/** Resumes after one turn of the event loop, and never aborts. */
const NO_PACE: Pace = {};

/**
 * Executes one message and those that it sends.
 *
 * Frames are objects on a list, so that the execution can pause at any opcode and resume there: call `run` until it
 * returns 'done'. Between runs the EVM is plain data without pending promises.
 */
export class Evm implements EvmInterface {
  readonly rules: Rules;
  readonly block: BlockContext;
  readonly journal: Journal;
  readonly origin: Word;
  readonly gasPrice: Word;
  readonly hooks: Hooks | undefined;
  readonly listener: StepListener | undefined;
  readonly pace: Pace;
  readonly maxCodeSize: number;
  /** The stacks of all frames, one above the other. */
  readonly stack: Word[] = [];
  frame: Frame | undefined;
  /** Gas of the current frame below which the slow path decides: the slice may be over, or the gas. */
  floor = 0;
  /** Signal for an opcode to return when it could not be charged. */
  signal: Signal = SIGNAL.next;
  /** Ends an opcode that has begun; set as long as it has not. */
  rest: (() => Signal) | undefined;
  work: Promise<PrecompileOutput> | undefined;
  outcome: FrameOutcome | undefined;
  private readonly sliceGas: number;
  private readonly precompiles: ReadonlyMap<Word, Precompile>;
  private pause: Pause = 'slice';
  /** Gas of the current frame at which the slice ends; negative when its gas ends before. */
  private sliceEnd = 0;

  constructor(options: EvmOptions) {
    this.rules = options.rules;
    this.block = options.block;
    this.journal = options.journal;
    this.precompiles = options.precompiles;
    this.origin = options.origin;
    this.gasPrice = options.gasPrice;
    this.hooks = options.hooks;
    this.listener = options.listener;
    this.pace = options.pace ?? NO_PACE;
    this.sliceGas = options.sliceGas ?? SLICE_GAS;
    this.maxCodeSize = options.maxCodeSize ?? options.rules.maxCodeSize;
  }

  /** Runs until the outermost frame is over, or until something stops it. */
  run(): Pause | 'done' {
    if (this.rest !== undefined) {
      const { rest } = this;
      this.rest = undefined;
      if (this.finishBy(rest) === SIGNAL.begun) return this.pause;
    }
    for (let { frame } = this; frame !== undefined; frame = this.frame) {
      const signal = frame.precise ? runPrecise(this, frame) : runFast(this, frame);
      if (signal === SIGNAL.again || signal === SIGNAL.begun) return this.pause;
    }
    return 'done';
  }

  /** Ends the slice before an opcode, whose gas counts in the next slice. */
  endSlice(nextGas: number): Signal {
    this.pause = 'slice';
    const now = this.frame?.gas ?? 0;
    this.setSliceEnd(now - nextGas - this.sliceGas);
    return SIGNAL.again;
  }

  /** Pauses before an opcode that needs data noted as missing in the journal. */
  stopForMissing(): Signal {
    this.pause = 'missing';
    return SIGNAL.again;
  }

  /** Ends an opcode by a function, which is called again after a fetch when it finds data missing. */
  finishBy(rest: () => Signal): Signal {
    const signal = rest();
    if (signal !== SIGNAL.again) return signal;
    this.rest = rest;
    return SIGNAL.begun;
  }

  /** Pauses until a precompile has its output. */
  waitFor(work: Promise<PrecompileOutput>, finish: (output: PrecompileOutput) => Signal): Signal {
    this.pause = 'work';
    this.work = work;
    let arrived: { output: PrecompileOutput } | undefined;
    void work.then(
      (output) => (arrived = { output }),
      () => undefined,
    );
    this.rest = () => (arrived === undefined ? this.stopForWork() : finish(arrived.output));
    return SIGNAL.begun;
  }

  /** The account that answers for an address to the frame. */
  accountOf(frame: Frame, address: Word): Account | undefined {
    if (this.hooks?.accountOf === undefined) return frame.world.account(address);
    return this.hooks.accountOf(address, frame.world);
  }

  precompileAt(address: Word): Precompile | undefined {
    const own = this.hooks?.precompile?.(address);
    if (own !== undefined) return own;
    return typeof address === 'number' ? this.precompiles.get(address) : undefined;
  }

  /** Precompiles are warm from the start. EIP-2929. */
  isWarm(account: Account): boolean {
    return account.isWarm() || (typeof account.key === 'number' && this.precompiles.has(account.key));
  }

  /** Begins a frame; its gas has already been taken from the caller. */
  enter(start: FrameStart): Signal {
    const parent = this.frame;
    const frame = new Frame(start, parent?.top ?? 0, takeMemory(), parent);
    if (this.listener === undefined) frame.index = frame.code.program(this.rules).start;
    else frame.precise = true;
    const budget = parent === undefined ? this.sliceGas : parent.gas - this.sliceEnd;
    this.frame = frame;
    this.setSliceEnd(frame.gas - budget);
    this.hooks?.entered?.(frame);
    this.listener?.enter?.(frame, this);
    return SIGNAL.switched;
  }

  /** Moves gas from a frame to a callee; this does not count as work of the slice. */
  lend(frame: Frame, gas: number): void {
    frame.gas -= gas;
    this.setSliceEnd(this.sliceEnd - gas);
  }

  giveBack(frame: Frame, gas: number): void {
    this.lend(frame, -gas);
  }

  /** Ends the frame successfully. */
  finish(frame: Frame, output: Uint8Array): Signal {
    if (!frame.isCreation) return this.leave(frame, output, undefined);
    const failure = depositCode(this, frame, output);
    if (failure === undefined) return this.leave(frame, output, undefined);
    // Under the first rules a creation that cannot pay for its code has none, and does not fail.
    if (failure === FAILURE.codeStoreOutOfGas && !this.rules.strictCreation) {
      return this.leave(frame, NOTHING, undefined);
    }
    return this.fail(frame, failure);
  }

  /** Reverts the frame, which keeps its remaining gas. */
  revert(frame: Frame, output: Uint8Array): Signal {
    this.journal.revert(frame.checkpoint);
    return this.leave(frame, output, FAILURE.reverted);
  }

  /** Fails the frame: reverts it and consumes its gas. */
  fail(frame: Frame, failure: string): Signal {
    this.journal.revert(frame.checkpoint);
    frame.lostGas = frame.gas;
    frame.gas = 0;
    return this.leave(frame, NOTHING, failure);
  }

  private leave(frame: Frame, output: Uint8Array, failure: string | undefined): Signal {
    const outcome = { gasUsed: frame.gasLimit - frame.gas, output, failure };
    this.listener?.leave?.(frame, outcome, this);
    returnMemory(frame.memory);
    const { parent } = frame;
    this.frame = parent;
    if (parent === undefined) {
      this.outcome = outcome;
      return SIGNAL.switched;
    }
    const budget = frame.gas - this.sliceEnd;
    parent.gas += frame.gas;
    this.setSliceEnd(parent.gas - budget);
    if (frame.isCreation) {
      parent.returnData = failure === FAILURE.reverted ? output : NOTHING;
      this.stack[parent.top++] = failure === undefined ? frame.account.key : 0;
    } else {
      this.answer(parent, {
        output,
        success: failure === undefined,
        at: frame.outputAt,
        size: frame.outputSize,
      });
    }
    return SIGNAL.switched;
  }

  /** Gives the output of a call to the calling frame. */
  answer(
    caller: Frame,
    { output, success, at, size }: { output: Uint8Array; success: boolean; at: number; size: number },
  ): void {
    caller.returnData = output;
    caller.memory.write(at, output, 0, Math.min(size, output.length));
    this.stack[caller.top++] = success ? 1 : 0;
  }

  private stopForWork(): Signal {
    this.pause = 'work';
    return SIGNAL.again;
  }

  private setSliceEnd(gas: number): void {
    this.sliceEnd = gas;
    this.floor = gas > 0 ? gas : 0;
  }
}
