import type { Pace, Precompile, PrecompileOutput } from '@tetrad/node-precompiles';
import type { Rules } from '../forks/rules.js';
import type { Word } from '../word/word.js';
import type { Account } from '../world/account.js';
import type { Journal } from '../world/journal.js';
import type { BlockContext } from './block-context.js';
import type { Frame, FrameStart } from './frame.js';
import type { AnsweredMessage, FrameOutcome, Hooks } from './hooks.js';
import type { Signal } from './signal.js';

/** The interpreter as its opcodes and listeners see it; the class of the name says what each member is. */
export interface Evm {
  readonly rules: Rules;
  readonly block: BlockContext;
  readonly journal: Journal;
  readonly origin: Word;
  readonly gasPrice: Word;
  readonly hooks: Hooks | undefined;
  readonly listener: StepListener | undefined;
  readonly pace: Pace;
  readonly maxCodeSize: number;
  readonly stack: Word[];
  frame: Frame | undefined;
  floor: number;
  signal: Signal;
  outcome: FrameOutcome | undefined;
  endSlice(nextGas: number): Signal;
  stopForMissing(): Signal;
  finishBy(rest: () => Signal): Signal;
  waitFor(work: Promise<PrecompileOutput>, finish: (output: PrecompileOutput) => Signal): Signal;
  accountOf(frame: Frame, address: Word): Account | undefined;
  precompileAt(address: Word): Precompile | undefined;
  isWarm(account: Account): boolean;
  enter(start: FrameStart): Signal;
  lend(frame: Frame, gas: number): void;
  giveBack(frame: Frame, gas: number): void;
  finish(frame: Frame, output: Uint8Array): Signal;
  revert(frame: Frame, output: Uint8Array): Signal;
  fail(frame: Frame, failure: string): Signal;
  answer(
    caller: Frame,
    answer: { readonly output: Uint8Array; success: boolean; at: number; size: number },
  ): void;
}

/**
 * Runs one opcode: operands from `evm.stack` below `frame.top`, result there.
 *
 * Until its gas is charged it changes nothing, since charging may stop it.
 */
export type Handler = (evm: Evm, frame: Frame) => Signal;

/**
 * A look at every opcode before it runs, for traces. With one, code runs opcode by opcode.
 *
 * What it throws ends the execution, and the world is as it was before the transaction.
 */
export interface StepListener {
  /**
   * The opcode comes next; nothing is checked or charged yet, and the fork may not have it. The STOP behind the end of
   * a code is shown like any other; where there is no code there is no opcode.
   */
  step?(evm: Evm, frame: Frame, op: number): void;
  /** Asked after each step: whether the listener has done so much that other work has its turn before the opcode. */
  needsTurn?(): boolean;
  enter?(frame: Frame, evm: Evm): void;
  /** What the frame did has been taken back if it failed. */
  leave?(frame: Frame, outcome: FrameOutcome, evm: Evm): void;
  /** A message is over for which no frame was made; its gas is still taken from the frame that sent it. */
  answered?(message: AnsweredMessage, outcome: FrameOutcome, evm: Evm): void;
}
