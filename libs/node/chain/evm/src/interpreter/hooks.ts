import type { Precompile } from '@tetrad/node-precompiles';
import type { Account, AccountWorld } from '../world/account.js';
import type { Word } from '../word/word.js';
import type { Frame, FrameKind } from './frame.js';

/** A message from one frame to another: a call or a creation. */
export interface MessageCall {
  readonly kind: FrameKind;
  /** The account in whose name the message is sent. */
  readonly caller: Word;
  /** The account whose code runs; for a creation the new account. */
  readonly target: Word;
  readonly depth: number;
}

/** Wei on its way from one account to another. */
export interface Transfer {
  readonly from: Account;
  readonly to: Account;
  /** Not zero. */
  readonly value: Word;
}

/**
 * Decisions of an execution over more than one world, or under permissions, frame by frame.
 *
 * They are called where messages start and accounts are named, never in between. A hook that needs something that is
 * not in memory notes it in the journal and returns undefined; the execution pauses, and calls it again.
 */
export interface Hooks {
  /** The account that answers for an address to code that runs in `current`. */
  accountOf?(address: Word, current: AccountWorld): Account | undefined;
  /** Whether a frame in the world may change anything; what it calls may not either. */
  isWritable?(world: AccountWorld): boolean;
  /** Why the message is rejected, or null. The frame that would execute it fails with that text. */
  rejection?(call: MessageCall): string | null | undefined;
  /** A frame begins. It may be reverted later. */
  entered?(frame: Frame): void;
  /** Wei moves, with a message or by SELFDESTRUCT. It may be reverted later. */
  moved?(transfer: Transfer): void;
  /** A precompile that belongs to the chain and not to the fork; undefined for other addresses. */
  precompile?(address: Word): Precompile | undefined;
}

/** A message that a precompile answered, or that could not start: for want of balance, of depth or of a nonce. */
export interface AnsweredMessage extends MessageCall {
  readonly value: Word;
  /** The init code, of a creation. */
  readonly input: Uint8Array;
  readonly gas: number;
  readonly isPrecompile: boolean;
}

export interface FrameOutcome {
  readonly gasUsed: number;
  readonly output: Uint8Array;
  readonly failure: string | undefined;
}
