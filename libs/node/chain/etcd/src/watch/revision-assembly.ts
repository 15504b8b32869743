import { EtcdError } from '../etcd-error.js';
import { malformed } from '../wire.js';
import { revisionOf, type WatchEvent, type WatchMessage } from './watch-message.js';

/** All watched changes of one revision. */
export interface WatchedRevision {
  readonly revision: bigint;
  readonly events: readonly WatchEvent[];
}

export interface AssemblyLimits {
  /** Of keys and values of one revision. */
  readonly maxBytes: number;
  readonly maxEvents: number;
}

/**
 * Assembles the events of a stream by revision. A revision is complete when a later one begins, or with a line that is
 * not a fragment.
 */
export class RevisionAssembly {
  private revision: bigint | undefined;
  private events: WatchEvent[] = [];
  private size = 0;

  constructor(
    private readonly endpoint: string,
    private readonly limits: AssemblyLimits,
  ) {}

  /**
   * Revisions that are complete with this line, in order.
   * @param next - first revision that was not delivered
   * @throws EtcdError malformed when revisions come in another order; too-large
   */
  take({ events, isFragment }: WatchMessage, next: bigint): WatchedRevision[] {
    const whole: WatchedRevision[] = [];
    for (const event of events) {
      const revision = revisionOf(event);
      // Revisions are delivered whole, so dropping repeated events loses nothing.
      if (revision < next) continue;
      if (this.revision !== undefined && revision < this.revision)
        throw malformed(this.endpoint, `revision ${revision} behind ${this.revision}`);
      if (revision !== this.revision) this.begin(revision, whole);
      this.add(event);
    }
    if (!isFragment) this.begin(undefined, whole);
    return whole;
  }

  private begin(revision: bigint | undefined, whole: WatchedRevision[]): void {
    if (this.revision !== undefined) whole.push({ revision: this.revision, events: this.events });
    this.revision = revision;
    this.events = [];
    this.size = 0;
  }

  private add(event: WatchEvent): void {
    this.size += event.type === 'put' ? event.entry.key.length + event.entry.value.length : event.key.length;
    this.events.push(event);
    const { maxBytes, maxEvents } = this.limits;
    if (this.size <= maxBytes && this.events.length <= maxEvents) return;
    const bounds = `${maxBytes} bytes or ${maxEvents} events`;
    throw new EtcdError('too-large', `${this.endpoint}: revision ${this.revision} has more than ${bounds}`);
  }
}
