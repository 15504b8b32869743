import type { Code } from '../code/code.js';
import type { Account, AccountWorld } from '../world/account.js';
import type { Checkpoint } from '../world/journal.js';
import type { Word } from '../word/word.js';
import { NOTHING, type Memory } from './memory.js';

export type FrameKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2';

/** Write permission of a frame. */
export const WRITES = { allowed: 0, static: 1, readOnlyWorld: 2 } as const;
export type Writes = (typeof WRITES)[keyof typeof WRITES];

/** Input of a new frame. */
export interface FrameStart {
  readonly kind: FrameKind;
  readonly depth: number;
  /** The account in whose name the code runs. */
  readonly account: Account;
  /** Address of the code; another account than `account` in a delegate call. */
  readonly codeAddress: Word;
  readonly code: Code;
  /** The world for accounts that hooks do not assign to another one. */
  readonly world: AccountWorld;
  readonly caller: Word;
  readonly value: Word;
  readonly input: Uint8Array;
  readonly gas: number;
  readonly writes: Writes;
  readonly checkpoint: Checkpoint;
  /** Offset of the output in the memory of the caller. */
  readonly outputAt: number;
  readonly outputSize: number;
}

/** One message being executed. Frames are objects and not calls of JavaScript, so that all of them can stop. */
export class Frame {
  readonly kind: FrameKind;
  readonly depth: number;
  readonly account: Account;
  readonly codeAddress: Word;
  readonly code: Code;
  readonly world: AccountWorld;
  readonly caller: Word;
  readonly value: Word;
  readonly input: Uint8Array;
  readonly writes: Writes;
  readonly checkpoint: Checkpoint;
  readonly outputAt: number;
  readonly outputSize: number;
  readonly gasLimit: number;
  gas: number;
  /** Of a frame that failed: the gas it lost, and the price that it could not pay; 0 where that was not the reason. */
  lostGas = 0;
  unpaid = 0;
  /** Next operation of the program; in the precise loop `pc` counts instead. */
  index = 0;
  pc = 0;
  /** Whether opcodes are checked one by one. */
  precise = false;
  /** Whether the listener has seen the opcode at `pc`. */
  announced = false;
  /** Height of the stack, which all frames share, and where this frame's part begins. */
  top: number;
  returnData: Uint8Array = NOTHING;

  constructor(
    start: FrameStart,
    readonly base: number,
    readonly memory: Memory,
    readonly parent: Frame | undefined,
  ) {
    this.kind = start.kind;
    this.depth = start.depth;
    this.account = start.account;
    this.codeAddress = start.codeAddress;
    this.code = start.code;
    this.world = start.world;
    this.caller = start.caller;
    this.value = start.value;
    this.input = start.input;
    this.writes = start.writes;
    this.checkpoint = start.checkpoint;
    this.outputAt = start.outputAt;
    this.outputSize = start.outputSize;
    this.gasLimit = start.gas;
    this.gas = start.gas;
    this.top = base;
  }

  get isCreation(): boolean {
    return this.kind === 'CREATE' || this.kind === 'CREATE2';
  }
}

/** A call that is paid for and about to begin; everything that it needs is in memory. */
export interface CallMessage {
  readonly kind: FrameKind;
  /** The account in whose name the callee runs: its own, or the caller's in a delegate call. */
  readonly account: Account;
  /** The account whose code it is. */
  readonly target: Account;
  readonly code: Code;
  readonly caller: Word;
  /** CALLVALUE. */
  readonly value: Word;
  /** Who pays the value; undefined when none moves. */
  readonly payer: Account | undefined;
  readonly input: Uint8Array;
  readonly gas: number;
  readonly parent: Frame | undefined;
  readonly outputAt: number;
  readonly outputSize: number;
  /** Why a hook refuses it, or null. */
  readonly rejection: string | null;
}
