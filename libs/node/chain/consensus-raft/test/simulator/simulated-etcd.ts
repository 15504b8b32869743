import { EtcdError } from '@tetrad/node-etcd';
import type {
  Entry,
  KeyEvent,
  LogStore,
  Operation,
  RangeAnswer,
  RangeRequest,
  Transaction,
  Watch,
  WatchOptions,
} from '../../src/log/log-store.js';
import type { VirtualClock } from '@tetrad/testkit';

const MS = 1000;
/** As of a client whose calls end well before a lease does. */
const TIMEOUT_MS = 1_000;

/** How a node reaches etcd at the moment. */
export interface Link {
  isCut: boolean;
  /** Share of requests and of answers that are lost. */
  lossRate: number;
  /** Of one way. Units: ms */
  delayMs: number;
  /** Whether the process at this end is gone: nothing comes back to it. */
  isDead: boolean;
}

interface Lease {
  readonly ttlMs: number;
  endsMs: number;
}

/** All that etcd has, to be put back later. */
export interface EtcdSnapshot {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly revision: bigint;
  readonly leases: ReadonlyMap<bigint, Lease>;
}

/** One strictly serial store with leases and watches, in virtual time; its clients lose requests, answers and patience. */
export class SimulatedEtcd {
  /** Whether it has no quorum: whatever is asked waits in vain. */
  isAway = false;
  /** Whether it takes no more writes until it has space again. */
  isFull = false;
  private entries = new Map<string, Entry>();
  private revision = 1n;
  private compacted = 0n;
  private history: { readonly revision: bigint; readonly events: readonly KeyEvent[] }[] = [];
  private leases = new Map<bigint, Lease>();
  private nextLease = 1n;
  private readonly listeners = new Set<(events: readonly KeyEvent[]) => void>();

  constructor(
    private readonly clock: VirtualClock,
    private readonly random: () => number,
  ) {}

  snapshot(): EtcdSnapshot {
    return { entries: new Map(this.entries), revision: this.revision, leases: new Map(this.leases) };
  }

  /** Everything after the snapshot is forgotten, as by `etcdctl snapshot restore`. */
  restore({ entries, revision, leases }: EtcdSnapshot): void {
    this.entries = new Map(entries);
    this.revision = revision;
    this.history = this.history.filter((one) => one.revision <= revision);
    this.leases = new Map([...leases].map(([id, { ttlMs }]) => [id, this.lastingLease(id, ttlMs)]));
  }

  /** Forgets history up to now. */
  compactAll(): void {
    this.compact(this.revision);
  }

  keys(prefix: string): readonly string[] {
    return [...this.entries.keys()].filter((key) => key.startsWith(prefix));
  }

  /** Writes what no node of ours would. */
  write(key: string, value: Uint8Array): void {
    this.apply([{ kind: 'put', key, value }]);
  }

  /** Deletes what no node of ours would. */
  remove(key: string): void {
    this.apply([{ kind: 'delete', key }]);
  }

  /** What a node with the link sees of it. */
  client(link: Link): LogStore {
    const ask = <Answer>(isChange: boolean, work: () => Answer) => this.exchange(link, isChange, work);
    return {
      range: (request) => ask(false, () => this.range(request)),
      transact: (transaction) => ask(true, () => this.transact(transaction)),
      grantLease: (seconds) => ask(false, () => this.grant(seconds)),
      keepAlive: (id) => ask(false, () => this.keepAlive(id)),
      revokeLease: (id) => ask(false, () => this.end(id)),
      compact: (revision) => ask(false, () => this.compact(revision)),
      watch: (options) => new SimulatedWatch(this, link, options),
    };
  }

  /** Carries a request there and its answer back, or not; a change may even happen after its sender has given up. */
  private exchange<Answer>(link: Link, isChange: boolean, work: () => Answer): Promise<Answer> {
    return new Promise((done, fail) => {
      let isOver = false;
      const finish = (end: () => void) => {
        if (isOver || link.isDead) return;
        isOver = true;
        cancel();
        end();
      };
      const kind = isChange ? 'unknown-outcome' : 'unavailable';
      const cancel = this.clock.schedule(TIMEOUT_MS, () =>
        finish(() => fail(new EtcdError(kind, 'no answer in time'))),
      );
      const travel = () => this.travelMs(link);
      // Some wait so long somewhere that they are done after their sender has given up.
      const isLate = () => isChange && this.random() < link.lossRate;
      const arrival = () => travel() + (isLate() ? TIMEOUT_MS * (1 + this.random() / 5) : 0);
      const isLost = () => this.random() < link.lossRate;
      if (link.isCut || this.isAway) return;
      if (isLost()) return;
      this.clock.schedule(arrival(), () => {
        if (this.isAway) return;
        let answer: Answer;
        try {
          answer = work();
        } catch (error) {
          this.clock.schedule(travel(), () => finish(() => fail(error)));
          return;
        }
        if (link.isCut || isLost()) return;
        this.clock.schedule(travel(), () => finish(() => done(answer)));
      });
    });
  }

  newest(): bigint {
    return this.revision;
  }

  valueOf(key: string): Uint8Array | undefined {
    return this.entries.get(key)?.value;
  }

  onChange(listener: (events: readonly KeyEvent[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @throws the revision up to which there is nothing more, as a bigint */
  eventsFrom(revision: bigint, prefix: string): readonly KeyEvent[] | bigint {
    if (revision <= this.compacted) return this.compacted;
    return this.history
      .filter((one) => one.revision >= revision)
      .flatMap(({ events }) => events.filter(({ entry }) => entry.key.startsWith(prefix)));
  }

  travelMs(link: Link): number {
    return link.delayMs * (0.5 + this.random());
  }

  schedule(delayMs: number, task: () => void): void {
    this.clock.schedule(delayMs, task);
  }

  private range({ key, rangeEnd, limit = Infinity }: RangeRequest): RangeAnswer {
    const isIn = (one: string) => (rangeEnd === undefined ? one === key : one >= key && one < rangeEnd);
    const found = [...this.entries.values()].filter((entry) => isIn(entry.key));
    found.sort((one, other) => (one.key < other.key ? -1 : 1));
    return { entries: found.slice(0, limit), count: found.length, revision: this.revision };
  }

  private transact({ compare, success }: Transaction): { readonly succeeded: boolean } {
    const succeeded = compare.every((one) => {
      const entry = this.entries.get(one.key);
      if (one.target === 'value') return entry !== undefined && Buffer.compare(entry.value, one.value) === 0;
      return one.revision === ((one.target === 'create' ? entry?.createRevision : entry?.modRevision) ?? 0n);
    });
    if (!succeeded) return { succeeded };
    const isDeadLease = success.some(
      (one) => one.kind === 'put' && one.lease !== undefined && !this.leases.has(one.lease),
    );
    if (this.isFull && success.some(({ kind }) => kind === 'put'))
      throw new EtcdError('no-space', 'etcdserver: mvcc: database space exceeded');
    if (isDeadLease) throw new EtcdError('rejected', 'etcdserver: requested lease not found');
    this.apply(success);
    return { succeeded };
  }

  private apply(operations: readonly Operation[]): void {
    const revision = this.revision + 1n;
    const events: KeyEvent[] = [];
    for (const one of operations) {
      if (one.kind === 'put') events.push({ kind: 'put', entry: this.put(one, revision) });
      if (one.kind !== 'delete') continue;
      for (const entry of this.range(one).entries) {
        this.entries.delete(entry.key);
        events.push({ kind: 'delete', entry: { ...entry, modRevision: revision } });
      }
    }
    if (events.length === 0) return;
    this.revision = revision;
    this.history.push({ revision, events });
    for (const listener of this.listeners) listener(events);
  }

  private put({ key, value, lease = 0n }: Extract<Operation, { kind: 'put' }>, revision: bigint): Entry {
    const createRevision = this.entries.get(key)?.createRevision ?? revision;
    const entry = { key, value, createRevision, modRevision: revision, lease };
    this.entries.set(key, entry);
    return entry;
  }

  private grant(seconds: number): bigint {
    if (this.isFull) throw new EtcdError('no-space', 'etcdserver: mvcc: database space exceeded');
    const id = this.nextLease++;
    this.leases.set(id, this.lastingLease(id, seconds * MS));
    return id;
  }

  private lastingLease(id: bigint, ttlMs: number): Lease {
    const lease = { ttlMs, endsMs: this.clock.now() + ttlMs };
    this.expire(id, lease);
    return lease;
  }

  private expire(id: bigint, lease: Lease): void {
    this.clock.schedule(lease.endsMs - this.clock.now(), () => {
      if (this.leases.get(id) !== lease) return;
      // Leases do not expire without a quorum.
      if (this.isAway) lease.endsMs = this.clock.now() + lease.ttlMs;
      if (lease.endsMs > this.clock.now()) this.expire(id, lease);
      else this.end(id);
    });
  }

  private keepAlive(id: bigint): boolean {
    const lease = this.leases.get(id);
    if (lease === undefined) return false;
    lease.endsMs = this.clock.now() + lease.ttlMs;
    return true;
  }

  private end(id: bigint): void {
    this.leases.delete(id);
    const held = [...this.entries.values()].filter(({ lease }) => lease === id);
    this.apply(held.map(({ key }) => ({ kind: 'delete', key })));
  }

  private compact(revision: bigint): void {
    if (revision > this.compacted) this.compacted = revision;
    this.history = this.history.filter((one) => one.revision > this.compacted);
  }
}

/** Delivers events in order, as the real watch does. */
class SimulatedWatch implements Watch {
  readonly ended: Promise<void>;
  private next: bigint;
  private isClosed = false;
  private isBusy = false;
  private wasCut = false;
  private finish: (error?: unknown) => void = () => undefined;
  private readonly forget: () => void;

  constructor(
    private readonly etcd: SimulatedEtcd,
    private readonly link: Link,
    private readonly options: WatchOptions,
  ) {
    this.next = options.fromRevision;
    this.ended = new Promise((done, fail) => {
      this.finish = (error) => (error === undefined ? done() : fail(error as Error));
    });
    this.ended.catch(() => undefined);
    this.forget = etcd.onChange(() => this.look());
    this.look();
    this.lookAgain();
  }

  async close(): Promise<void> {
    this.end();
    await this.ended;
  }

  private end(error?: unknown): void {
    this.isClosed = true;
    this.forget();
    this.finish(error);
  }

  /** As the real one, which notices by and by that it hears nothing. */
  private lookAgain(): void {
    this.etcd.schedule(500, () => {
      if (this.isClosed || this.link.isDead) return;
      const isCut = this.link.isCut || this.etcd.isAway;
      if (isCut !== this.wasCut) this.options.onTrouble(isCut ? 'the connection is cut' : undefined);
      this.wasCut = isCut;
      if (!isCut && this.etcd.newest() + 1n < this.next) {
        return this.end();
      }
      this.look();
      this.lookAgain();
    });
  }

  private look(): void {
    if (this.isClosed || this.isBusy || this.link.isDead || this.link.isCut || this.etcd.isAway) return;
    const events = this.etcd.eventsFrom(this.next, this.options.prefix);
    if (typeof events === 'bigint') {
      return this.end();
    }
    if (events.length === 0) return;
    this.isBusy = true;
    this.etcd.schedule(this.etcd.travelMs(this.link), () => void this.deliver(events));
  }

  private async deliver(events: readonly KeyEvent[]): Promise<void> {
    this.isBusy = false;
    if (this.isClosed || this.link.isDead) return;
    if (this.link.isCut) return;
    this.isBusy = true;
    this.next = (events.at(-1)?.entry.modRevision ?? this.next) + 1n;
    try {
      await this.options.onEvents(events);
    } catch (error) {
      return this.end(error);
    }
    this.isBusy = false;
    this.look();
  }
}
