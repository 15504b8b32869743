import { pause, type Clock } from '@tetrad/types';
import type { NodeId } from '../identity/node-id.js';
import { movingMs, type PeerLimits } from '../limits.js';
import type { AnswerLimits } from '../network/messenger.js';
import type { Peer } from '../peers/peer.js';
import { FIRST_WITH_STATE } from '../session/versions.js';
import type { ExchangeOutcome } from '../transport/exchange.js';
import type { Head } from '../wire/handshake-messages.js';
import type { PeerRequest } from '../wire/request-message.js';
import { MAX_STATE_ANSWER, decodeStateAnswer, type StateAnswers } from '../wire/state-answer.js';
import type { StateKind, StateQuestions, StateRequest } from '../wire/state-request.js';
import { WireError } from '../wire/wire-fields.js';

/** How often a question is repeated that a busy peer did not take. */
const BUSY_TIMES = 50;

/** A connected peer that answers questions about the state. */
export interface StateSource {
  readonly nodeId: NodeId;
  /** For logs. */
  readonly shortId: string;
  /** The newest block that it announced; nothing shows that it has it. */
  readonly head: Head | undefined;
}

/** The answer of a peer, or why there is none. */
export type StateOutcome<Kind extends StateKind> =
  | { readonly kind: 'answered'; readonly answer: StateAnswers[Kind] }
  /** It was late, busy for long, or is gone, and may be asked again later. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** Its bytes are not an answer; it was penalized. */
  | { readonly kind: 'unusable'; readonly reason: string };

export interface StatePeersOptions {
  readonly limits: PeerLimits;
  readonly clock: Clock;
  readonly connected: () => readonly Peer[];
  readonly request: (peer: Peer, request: PeerRequest, limits: AnswerLimits) => Promise<ExchangeOutcome>;
  readonly penalise: (peer: Peer, penalty: 'unusable answer' | 'false state', detail?: string) => void;
}

/** Asks peers about the state. Answers have the form of their question; whether they are true is for the caller to verify. */
export class StatePeers {
  constructor(private readonly options: StatePeersOptions) {}

  /** Connected peers that speak a version with such questions. */
  sources(): readonly StateSource[] {
    return this.options.connected().filter(({ protocol }) => protocol >= FIRST_WITH_STATE);
  }

  /** Never fails. One question at a time is answered by a peer. */
  async ask<Kind extends StateKind>(
    source: StateSource,
    kind: Kind,
    question: StateQuestions[Kind],
  ): Promise<StateOutcome<Kind>> {
    const { clock, limits, request } = this.options;
    const answerBytes = MAX_STATE_ANSWER[kind];
    const bounds = { answerBytes, timeoutMs: limits.answerTimeoutMs + movingMs(limits, answerBytes) };
    for (let times = 0; times < BUSY_TIMES; times++) {
      const peer = this.find(source);
      if (peer === undefined) return { kind: 'unavailable', reason: 'the peer is gone' };
      const outcome = await request(peer, { kind, ...question } as StateRequest, bounds);
      if (outcome.kind === 'answered') return this.read(peer, { kind, question, bytes: outcome.answer });
      if (outcome.kind !== 'busy') return { kind: 'unavailable', reason: `the peer is ${outcome.kind}` };
      await pause(clock, limits.stateBusyMs);
    }
    return { kind: 'unavailable', reason: 'the peer is busy' };
  }

  /** The answer of the peer was shown to be false. */
  blame(source: StateSource, reason: string): void {
    const peer = this.find(source);
    if (peer !== undefined) this.options.penalise(peer, 'false state', reason);
  }

  private find({ nodeId }: StateSource): Peer | undefined {
    return this.options.connected().find((peer) => peer.nodeId === nodeId);
  }

  private read<Kind extends StateKind>(
    peer: Peer,
    { kind, question, bytes }: { kind: Kind; question: StateQuestions[Kind]; bytes: Uint8Array },
  ): StateOutcome<Kind> {
    try {
      return { kind: 'answered', answer: decodeStateAnswer(kind, bytes, question) };
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.options.penalise(peer, 'unusable answer', error.message);
      return { kind: 'unusable', reason: error.message };
    }
  }
}
