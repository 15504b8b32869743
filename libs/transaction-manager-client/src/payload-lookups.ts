import type { LookedUp, PrivatePayload } from './answers.js';
import { unknown, type Found, type Outcome } from './outcome.js';

/** @returns undefined where the payload has to be asked for by itself */
type Done = (found: Found<PrivatePayload> | undefined) => void;

/** Maximum number of payloads in a request; managers refuse more than 64. */
const MAX_HASHES = 64;

/** Requests in flight; later lookups gather for the next one. */
const IN_FLIGHT = 2;

/**
 * Joins lookups of payloads into requests. A request never waits to fill: it carries what was asked for in one turn of
 * the event loop, or while others were in flight.
 */
export class PayloadLookups {
  /** By hash, as text of one character a byte. */
  private readonly waiting = new Map<string, Done[]>();
  private inFlight = 0;
  private scheduled = false;

  /** @param ask - asks the manager for payloads; what its answer leaves out is asked for again */
  constructor(
    private readonly ask: (hashes: readonly Uint8Array[]) => Promise<Outcome<readonly LookedUp[]>>,
  ) {}

  /** @returns undefined when the manager refuses joined lookups: it may be another program by now */
  find(hash: Uint8Array): Promise<Found<PrivatePayload> | undefined> {
    return new Promise((done) => {
      this.add(nameOf(hash), [done]);
      this.schedule();
    });
  }

  private add(name: string, done: readonly Done[]): void {
    this.waiting.set(name, [...(this.waiting.get(name) ?? []), ...done]);
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.size === 0 || this.inFlight === IN_FLIGHT) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    const group = new Map([...this.waiting].slice(0, MAX_HASHES));
    for (const name of group.keys()) this.waiting.delete(name);
    this.inFlight += 1;
    this.schedule();
    const outcome = await this.ask([...group.keys()].map((name) => Buffer.from(name, 'latin1')));
    this.inFlight -= 1;
    this.settle(group, outcome);
    this.schedule();
  }

  private settle(group: Map<string, Done[]>, outcome: Outcome<readonly LookedUp[]>): void {
    if (outcome.kind !== 'done') {
      const found = outcome.kind === 'unknown' ? outcome : undefined;
      for (const waiting of group.values()) for (const done of waiting) done(found);
      return;
    }
    const asked = group.size;
    for (const { hash, outcome: found } of outcome.value) {
      const name = nameOf(hash);
      for (const done of group.get(name) ?? []) done(found);
      group.delete(name);
    }
    const isStuck = group.size === asked;
    for (const [name, waiting] of group) {
      if (isStuck) for (const done of waiting) done(unknown('the answer has none of the payloads'));
      else this.add(name, waiting);
    }
  }
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}
