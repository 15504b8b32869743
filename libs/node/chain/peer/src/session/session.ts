import type { Brand } from '@tetrad/types';
import { FrameError, counterOf, openFrame, sealFrame, type FrameKind } from './frame.js';

/** How far behind the newest counter a message may be; what several connections overtake is far less. */
export const REPLAY_WINDOW = 1_024;

/** Accepts every counter once; one that is older than the window counts as seen. Source: RFC 4303, section 3.4.3. */
export class ReplayWindow {
  private newest = -1;
  private readonly slots = new Float64Array(REPLAY_WINDOW).fill(-1);

  /** Whether the counter is new; nothing is remembered. */
  isNew(counter: number): boolean {
    return counter > this.newest - REPLAY_WINDOW && this.slots[counter % REPLAY_WINDOW] !== counter;
  }

  /** Only after the message was authenticated: a forged counter must not shut out real ones. */
  remember(counter: number): void {
    this.slots[counter % REPLAY_WINDOW] = counter;
    this.newest = Math.max(this.newest, counter);
  }
}

/** 32 hex digits under which both sides know a session. */
export type SessionId = Brand<string, 'SessionId'>;

const SESSION_ID = /^[0-9a-f]{32}$/;

/** Parses a session id; undefined when the text is not one. */
export function readSessionId(text: string): SessionId | undefined {
  return isSessionId(text) ? text : undefined;
}

function isSessionId(text: string): text is SessionId {
  return SESSION_ID.test(text);
}

/** Keys of a session as one side has them. */
export interface SessionKeys {
  readonly id: SessionId;
  /** 32 bytes: seals what this side sends. */
  readonly sending: Uint8Array;
  /** 32 bytes: opens what this side receives. */
  readonly receiving: Uint8Array;
}

/** Frames after which new keys are made, far below what a GCM key may seal. */
const MAX_FRAMES = 2 ** 31;

/** An authenticated channel between two nodes: messages are authentic, complete, and received once. */
export class Session {
  readonly id: SessionId;
  private readonly idBytes: Uint8Array;
  private readonly window = new ReplayWindow();
  private sent = 0;

  constructor(
    private readonly keys: SessionKeys,
    /** Whether this side began it. */
    readonly isOutbound: boolean,
    /** Process of the other side. */
    readonly instance: string,
    readonly openedMs: number,
    private readonly maxFrames = MAX_FRAMES,
  ) {
    this.id = keys.id;
    this.idBytes = Buffer.from(keys.id, 'hex');
  }

  /** Whether the keys have sealed so much that they should be replaced. */
  get isWorn(): boolean {
    return this.sent >= this.maxFrames;
  }

  seal(kind: FrameKind, plaintext: Uint8Array): { readonly counter: number; readonly frame: Uint8Array } {
    const counter = this.sent++;
    const frame = sealFrame(this.context(kind, counter, this.keys.sending, false), plaintext);
    return { counter, frame };
  }

  /** @throws FrameError when the frame is forged, damaged, for another use, or replayed */
  open(kind: FrameKind, frame: Uint8Array): { readonly counter: number; readonly plaintext: Uint8Array } {
    const counter = counterOf(frame);
    if (!this.window.isNew(counter)) throw new FrameError('replayed');
    const plaintext = openFrame(this.context(kind, counter, this.keys.receiving, false), frame);
    this.window.remember(counter);
    return { counter, plaintext };
  }

  /** @param counter - of the message that is answered */
  sealAnswer(kind: FrameKind, counter: number, plaintext: Uint8Array): Uint8Array {
    return sealFrame(this.context(kind, counter, this.keys.sending, true), plaintext);
  }

  /** @throws FrameError when it is not the other side's answer to the message with the counter */
  openAnswer(kind: FrameKind, counter: number, frame: Uint8Array): Uint8Array {
    if (counterOf(frame) !== counter) throw new FrameError('answer to another message');
    return openFrame(this.context(kind, counter, this.keys.receiving, true), frame);
  }

  private context(kind: FrameKind, counter: number, key: Uint8Array, isAnswer: boolean) {
    return { key, sessionId: this.idBytes, kind, isAnswer, counter };
  }
}
