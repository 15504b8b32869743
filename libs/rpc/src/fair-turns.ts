import type { Caller } from './caller.js';

/** Time that calls of clients may take in one turn of the event loop, in milliseconds. */
const TURN_MS = 5;
/**
 * Pieces of work that begin in one turn, as far as its time allows. Most work follows only after a first read, when its
 * piece was counted as short already.
 */
const BEGUN_A_TURN = 32;

/** The clock and the event loop, for tests to replace. */
export interface EventLoop {
  now(): number;
  /** Calls back in the next turn, after what had come from sockets by then. */
  nextTurn(resume: () => void): void;
}

const EVENT_LOOP: EventLoop = {
  now: () => performance.now(),
  nextTurn: (resume) => void setImmediate(resume),
};

/** What one sender waits for: the pieces of work of each of its bodies, in order. */
type Bodies = Map<object, (() => void)[]>;

/**
 * Shares the main thread between callers. Calls run at once as long as the turn of the event loop is short. After that
 * they wait for a later turn, in which callers take their pieces of work alternately, and so do the bodies of one
 * caller: a batch of any size delays a single call, a block and a message of a peer by about one turn.
 */
export class FairTurns {
  private readonly senders = new Map<string, Bodies>();
  private turnBegan: number | undefined;
  private begun = 0;
  private waiting = 0;
  private resuming = 0;

  constructor(
    private readonly loop: EventLoop = EVENT_LOOP,
    private readonly turnMs = TURN_MS,
  ) {}

  /**
   * Asked before each piece of work.
   *
   * @returns undefined when the piece may begin at once; otherwise a promise that resolves in its turn
   */
  next(caller: Caller): Promise<void> | undefined {
    if (this.waiting === 0 && this.begins()) return undefined;
    return new Promise((resume) => {
      this.enqueue(caller, resume);
      this.resumeLater();
    });
  }

  /** Whether one more piece may begin in this turn; it is counted then. */
  private begins(): boolean {
    if (this.turnBegan === undefined) {
      this.turnBegan = this.loop.now();
      this.begun = 0;
      this.loop.nextTurn(() => (this.turnBegan = undefined));
    } else if (this.begun >= BEGUN_A_TURN || this.loop.now() - this.turnBegan >= this.turnMs) {
      return false;
    }
    this.begun += 1;
    return true;
  }

  private enqueue(caller: Caller, resume: () => void): void {
    const sender = caller.subject ?? caller.address ?? '';
    const bodies: Bodies = this.senders.get(sender) ?? new Map<object, (() => void)[]>();
    const pieces = bodies.get(caller) ?? [];
    pieces.push(resume);
    bodies.set(caller, pieces);
    this.senders.set(sender, bodies);
    this.waiting += 1;
  }

  private resumeLater(): void {
    while (this.resuming < Math.min(this.waiting, BEGUN_A_TURN)) {
      this.resuming += 1;
      this.loop.nextTurn(() => this.resume());
    }
  }

  private resume(): void {
    this.resuming -= 1;
    if (this.waiting > 0 && this.begins()) this.dequeue()?.();
    this.resumeLater();
  }

  /** The next piece of the sender and the body that waited longest; both go to the end. */
  private dequeue(): (() => void) | undefined {
    const [first] = this.senders;
    const [longest] = first?.[1] ?? [];
    if (first === undefined || longest === undefined) return undefined;
    const [sender, bodies] = first;
    const [body, pieces] = longest;
    this.senders.delete(sender);
    bodies.delete(body);
    const piece = pieces.shift();
    if (pieces.length > 0) bodies.set(body, pieces);
    if (bodies.size > 0) this.senders.set(sender, bodies);
    this.waiting -= 1;
    return piece;
  }
}
