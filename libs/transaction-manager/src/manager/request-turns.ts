import type { Caller, FairTurns, GiveWay } from '@tetrad/rpc';
import { Gate } from '@tetrad/types';
import { NamedTurns } from './named-turns.js';

/** How the work of one request shares the main thread and the memory with that of others. */
export interface RequestTurn {
  /** Asked before each piece of work. */
  readonly giveWay: GiveWay;
  /**
   * Does what takes much memory, one at a time for all requests of the sender, and of all senders as much as fits.
   * @param bytes - that the work reads
   */
  alone<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Bytes of payloads that such work of all senders reads at a time, unless one payload is larger: another sender costs a
 * stranger an address, so that a bound for each bounds nothing. While they come, the process holds them as hex besides.
 */
const MAX_READ_BYTES = 8 * 1_048_576;

/** Shares the main thread between requests: senders take turns, and so do the requests of each. */
export class RequestTurns {
  private readonly senders = new NamedTurns();
  private readonly memory: Gate;

  constructor(
    private readonly turns: FairTurns,
    maxReadBytes = MAX_READ_BYTES,
  ) {
    this.memory = new Gate(maxReadBytes);
  }

  /** @param sender - address of a peer, or another name for who sends the request */
  of(sender: string): RequestTurn {
    const caller: Caller = { address: sender, headers: {} };
    return {
      giveWay: () => this.turns.next(caller),
      alone: (bytes, work) => this.senders.take(sender, () => this.memory.take(bytes, work)),
    };
  }
}

/** For a command, which answers no requests meanwhile. */
export const UNSHARED: RequestTurn = { giveWay: () => undefined, alone: (_, work) => work() };
