import type { Caller, FairTurns, GiveWay } from '@tetrad/rpc';
import { NamedTurns } from './named-turns.js';

/** How the work of one request shares the main thread and the memory with that of others. */
export interface RequestTurn {
  /** Asked before each piece of work. */
  readonly giveWay: GiveWay;
  /** Does what takes much memory, one at a time for all requests of the sender. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Shares the main thread between requests: senders take turns, and so do the requests of each. */
export class RequestTurns {
  private readonly senders = new NamedTurns();

  constructor(private readonly turns: FairTurns) {}

  /** @param sender - address of a peer, or another name for who sends the request */
  of(sender: string): RequestTurn {
    const caller: Caller = { address: sender, headers: {} };
    return { giveWay: () => this.turns.next(caller), alone: (work) => this.senders.take(sender, work) };
  }
}

/** For a command, which answers no requests meanwhile. */
export const UNSHARED: RequestTurn = { giveWay: () => undefined, alone: (work) => work() };
