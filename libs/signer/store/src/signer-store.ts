import { randomUUID } from 'node:crypto';
import type { Database } from '@tetrad/db';
import { AuditStore } from './audit-store.js';
import { countNonces, type NonceCount } from './count-nonces.js';
import { IdempotencyStore } from './idempotency-store.js';
import { listDecisions, type DecisionQuery, type ListedDecision } from './list-decisions.js';
import type { SendQuery } from './hot/list-sends.js';
import { listSends, type ListedSend } from './list-sends.js';
import { NonceSequenceStore } from './nonce-sequence-store.js';
import { NoncePositionStore } from './nonce-position-store.js';
import type { NonceName, NonceTiming } from './nonce-rows.js';
import { NonceStore } from './nonce-store.js';
import { NonceWatch } from './nonce-watch.js';
import { RateStore } from './rate-store.js';
import { ReplicaStore } from './replica-store.js';
import { openSignerRows } from './signer-client.js';

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
  /**
   * A page of the audit log, newest first.
   * @returns before — of the next page; undefined when this is the last
   */
  listDecisions(
    query: DecisionQuery,
  ): Promise<{ readonly rows: readonly ListedDecision[]; readonly before: number | undefined }>;
  /**
   * A page of the nonces of all replicas, highest first.
   * @returns after — of the next page; undefined when this is the last
   */
  listSends(
    query: SendQuery,
  ): Promise<{ readonly rows: readonly ListedSend[]; readonly after: NonceName | undefined }>;
  /** The nonces of all replicas by state. */
  countNonces(): Promise<NonceCount[]>;
  /** Ends the client; the database stays open. */
  close(): Promise<void>;
}

/** Opens the store as a new replica; any number of replicas may share the database. */
export function openSignerStore(database: Database, timing: Partial<NonceTiming> = {}): SignerStore {
  const replica = randomUUID();
  const options = { replica, timing: { ...DEFAULT_NONCE_TIMING, ...timing } };
  const { client, close } = openSignerRows(database);
  const reading = { pool: database.pool, client };
  return {
    ...options,
    replicas: new ReplicaStore(database, { client, replica }),
    sequences: new NonceSequenceStore(database, { client, replica }),
    positions: new NoncePositionStore(database, client),
    nonces: new NonceStore(database, options),
    watch: new NonceWatch(database, options),
    idempotency: new IdempotencyStore(database, { client, replica }),
    audit: new AuditStore(database, client),
    rates: new RateStore(database, client),
    listDecisions: (query) => listDecisions(reading, query),
    listSends: (query) => listSends(reading, query),
    countNonces: () => countNonces(reading),
    close,
  };
}
