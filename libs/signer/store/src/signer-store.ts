import { randomUUID } from 'node:crypto';
import type { Database } from '@tetrad/db';
import { AuditStore } from './audit-store.js';
import { IdempotencyStore } from './idempotency-store.js';
import { NonceSequenceStore } from './nonce-sequence-store.js';
import { NoncePositionStore } from './nonce-position-store.js';
import type { NonceTiming } from './nonce-rows.js';
import { NonceStore } from './nonce-store.js';
import { NonceWatch } from './nonce-watch.js';
import { RateStore } from './rate-store.js';
import { ReplicaStore } from './replica-store.js';

/** Defaults of the times that rows live; see `NonceTiming`. */
const DEFAULT_NONCE_TIMING: NonceTiming = {
  replicaTtlMs: 10_000,
  resetGraceMs: 30_000,
  stuckMs: 120_000,
  givenTtlMs: 3_600_000,
};

/**
 * Settings for connections to the signer's database. Every statement looks rows up by their keys, while the planner,
 * with outdated statistics of tables whose rows are short-lived, would plan each statement again and scan the table
 * (docs/adr/0024). Joins other than nested loops would lock rows in a different order.
 */
export const SIGNER_DATABASE_SETTINGS: Readonly<Record<string, string>> = {
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** The signer's rows, as one replica works on them. */
export interface SignerStore {
  /** Name of this replica; new with every start. */
  readonly replica: string;
  readonly timing: NonceTiming;
  readonly replicas: ReplicaStore;
  readonly sequences: NonceSequenceStore;
  readonly positions: NoncePositionStore;
  readonly nonces: NonceStore;
  readonly watch: NonceWatch;
  readonly idempotency: IdempotencyStore;
  readonly audit: AuditStore;
  readonly rates: RateStore;
}

/** Opens the store as a new replica; any number of replicas may share the database. */
export function openSignerStore(database: Database, timing: Partial<NonceTiming> = {}): SignerStore {
  const options = { replica: randomUUID(), timing: { ...DEFAULT_NONCE_TIMING, ...timing } };
  return {
    ...options,
    replicas: new ReplicaStore(database, options.replica),
    sequences: new NonceSequenceStore(database, options.replica),
    positions: new NoncePositionStore(database),
    nonces: new NonceStore(database, options),
    watch: new NonceWatch(database, options),
    idempotency: new IdempotencyStore(database, options.replica),
    audit: new AuditStore(database),
    rates: new RateStore(database),
  };
}
