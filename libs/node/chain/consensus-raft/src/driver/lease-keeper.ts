import type { LogStore } from '../log/log-store.js';
import type { Clock, Logger } from '@tetrad/types';
import type {} from '../log/block-log.js';

export interface LeaseKeeperOptions {
  readonly store: Pick<LogStore, 'grantLease' | 'keepAlive' | 'revokeLease' | 'transact'>;
  /** Units: seconds */
  readonly ttlSeconds: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The key held by the lease from the start, which shows that this node runs. */
  readonly aliveKey: () => string | undefined;
  /** The lease is new, renewed, or gone. */
  readonly onChange: () => void;
}

const MS = 1000;
/** Number of renewals within the lifetime of a lease. */
const RENEWALS = 3;

/** The lease of this node, renewed as long as the node runs, and replaced when it was lost. */
export class LeaseKeeper {
  private lease: { readonly id: bigint; endsMs: number } | undefined;
  private cancel: () => void = () => undefined;
  private isStarted = false;
  private isStopped = false;
  /** The key that the lease holds. */
  private heldKey: string | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly options: LeaseKeeperOptions) {}

  /** Does nothing when it is running. */
  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.turn();
  }

  /** The lease, while it certainly lasts by this node's own clock; undefined otherwise. */
  current(): bigint | undefined {
    const { lease } = this;
    return lease !== undefined && this.options.clock.now() < lease.endsMs ? lease.id : undefined;
  }

  /** Revokes the lease. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancel();
    await this.working;
    const { lease } = this;
    this.lease = undefined;
    // Otherwise etcd ends it when it expires.
    if (lease !== undefined) await this.options.store.revokeLease(lease.id).catch(() => undefined);
  }

  private turn(): void {
    this.working = this.renew().then(() => {
      if (this.isStopped) return;
      const everyMs = (this.options.ttlSeconds * MS) / RENEWALS;
      this.cancel = this.options.clock.schedule(everyMs, () => this.turn());
    });
  }

  private async renew(): Promise<void> {
    const { store, ttlSeconds, clock, logger } = this.options;
    // Before it is sent: etcd counts from a later time on.
    const endsMs = clock.now() + ttlSeconds * MS;
    try {
      if (this.lease !== undefined && (await store.keepAlive(this.lease.id))) {
        this.lease.endsMs = endsMs;
        await this.hold(this.lease.id);
        // It may have lapsed by this node's clock meanwhile, and nothing else announces that the node may mint again.
        this.options.onChange();
        return;
      }
      if (this.lease !== undefined) logger.warn('the lease of this node in etcd has ended');
      this.lease = undefined;
      this.options.onChange();
      const id = await store.grantLease(ttlSeconds);
      this.heldKey = undefined;
      await this.hold(id);
      this.lease = { id, endsMs };
      this.options.onChange();
    } catch (error) {
      // The watch reports failures of etcd.
      logger.debug('the lease in etcd could not be renewed', { error });
    }
  }

  /** A node learns its raft id late when it is added after its start. */
  private async hold(lease: bigint): Promise<void> {
    const key = this.options.aliveKey();
    if (key === undefined || key === this.heldKey) return;
    const value = Buffer.from('true');
    await this.options.store.transact({ compare: [], success: [{ kind: 'put', key, value, lease }] });
    this.heldKey = key;
  }
}
