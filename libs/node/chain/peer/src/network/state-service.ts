import { Turns, pause, type Clock } from '@tetrad/types';
import type { NodeId } from '../identity/node-id.js';
import type { PeerLimits } from '../limits.js';
import type { Peer } from '../peers/peer.js';
import type { StatePort } from '../ports.js';
import { encodeStateAnswer, type StateAnswers } from '../wire/state-answer.js';
import type { StateKind, StateQuestions, StateRequest } from '../wire/state-request.js';

export interface StateServiceOptions {
  /** Absent on a node that answers no such questions. */
  readonly state: StatePort | undefined;
  readonly limits: Pick<PeerLimits, 'stateQuestions'>;
  readonly clock: Clock;
}

/** What a node answers that has nothing of what was asked. */
const NOTHING: StateAnswers = { headers: [], ranges: [], contents: [], validators: undefined, history: [] };

/** Pause after an answer, as a part of the time that it took, most of which is the database's. */
const PAUSE_PART = 1 / 3;

/**
 * Answers questions about the state, one after the other. Each is followed by a pause of a third of the time that it took, so that all
 * peers together get three quarters of the time at most. One question of a peer is taken at a time, in the order in which they came: a peer that
 * asks without end does not keep others waiting.
 */
export class StateService {
  private readonly taken = new Set<NodeId>();
  private readonly turns = new Turns();

  constructor(private readonly options: StateServiceOptions) {}

  /**
   * @returns undefined when the peer must come again
   * @throws as the port does
   */
  async answer(peer: Peer, request: StateRequest): Promise<Uint8Array | undefined> {
    const { nodeId } = peer;
    if (this.taken.has(nodeId) || this.taken.size >= this.options.limits.stateQuestions) return undefined;
    this.taken.add(nodeId);
    try {
      return await this.inTurn(() => this.serve(request.kind, request));
    } finally {
      this.taken.delete(nodeId);
    }
  }

  /** The work is followed by the pause, which its result does not wait for. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.options;
    return new Promise((resolve, reject) => {
      void this.turns.take(async () => {
        const startMs = clock.now();
        await work().then(resolve, reject);
        await pause(clock, (clock.now() - startMs) * PAUSE_PART);
      });
    });
  }

  private async serve<Kind extends StateKind>(
    kind: Kind,
    question: StateQuestions[Kind],
  ): Promise<Uint8Array> {
    const answer = this.options.state?.[kind];
    return encodeStateAnswer<Kind>(kind, answer === undefined ? NOTHING[kind] : await answer(question));
  }
}
