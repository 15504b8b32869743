import { pause, type Address, type Clock } from '@tetrad/types';
import type { PeerLimits } from '../limits.js';
import type { Peer } from '../peers/peer.js';
import type { StatePort } from '../ports.js';
import { encodeStateAnswer, type StateAnswers } from '../wire/state-answer.js';
import type { StateKind, StateQuestions, StateRequest } from '../wire/state-request.js';
import { StateQueue, type Asker, type QueuedQuestion } from './state-queue.js';

export interface StateServiceOptions {
  /** Absent on a node that answers no such questions. */
  readonly state: StatePort | undefined;
  readonly limits: Pick<PeerLimits, 'stateQuestions'>;
  readonly clock: Clock;
  readonly validators: () => readonly Address[];
}

/** What a node answers that has nothing of what was asked. */
const NOTHING: StateAnswers = { headers: [], ranges: [], contents: [], validators: undefined, history: [] };

/** Pause after an answer, as a part of the time that it took, most of which is the database's. */
const PAUSE_PART = 1 / 3;
/** A clock that is set, or a host that was stopped, makes no pause longer than this. */
const MAX_PAUSE_MS = 10_000;

/** A question, and what becomes of it. */
interface AskedQuestion extends QueuedQuestion {
  readonly work: () => Promise<Uint8Array>;
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers questions about the state, one after the other. Each is followed by a pause of a third of the time that it took, so that all
 * peers together get three quarters of the time at most. Who gets a place and a turn is decided by `StateQueue`: neither a peer that
 * asks without end nor one of many names keeps others waiting.
 */
export class StateService {
  private readonly queue: StateQueue<AskedQuestion>;
  private isServing = false;

  constructor(private readonly options: StateServiceOptions) {
    this.queue = new StateQueue(options.limits.stateQuestions);
  }

  /**
   * @returns undefined when the peer must come again
   * @throws as the port does
   */
  answer(peer: Peer, request: StateRequest): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      this.queue.enter({
        asker: this.askerOf(peer),
        comeAgain: () => resolve(undefined),
        work: () => this.serve(request.kind, request),
        resolve,
        reject,
      });
      void this.serveAll();
    });
  }

  private askerOf({ nodeId, address, isStatic, lastAddress }: Peer): Asker {
    const isMember = isStatic || this.options.validators().includes(address);
    return { nodeId, isMember, group: isMember ? nodeId : (lastAddress ?? nodeId) };
  }

  /** Each piece of work is followed by the pause, which its result does not wait for. */
  private async serveAll(): Promise<void> {
    if (this.isServing) return;
    this.isServing = true;
    const { clock } = this.options;
    for (let question = this.queue.begin(); question !== undefined; question = this.queue.begin()) {
      const { work, resolve, reject } = question;
      const startMs = clock.now();
      const settle = await work().then(
        (answer) => () => resolve(answer),
        (error: unknown) => () => reject(error),
      );
      this.queue.end();
      settle();
      await pause(clock, Math.min((clock.now() - startMs) * PAUSE_PART, MAX_PAUSE_MS));
    }
    this.isServing = false;
  }

  private async serve<Kind extends StateKind>(
    kind: Kind,
    question: StateQuestions[Kind],
  ): Promise<Uint8Array> {
    const answer = this.options.state?.[kind];
    return encodeStateAnswer<Kind>(kind, answer === undefined ? NOTHING[kind] : await answer(question));
  }
}
