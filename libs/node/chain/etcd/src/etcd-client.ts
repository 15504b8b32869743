import {
  readDone,
  readKeptAlive,
  readLease,
  readRange,
  readStatus,
  readTransaction,
  type LeaseAnswer,
  type MemberStatus,
  type RangeAnswer,
  type TransactionAnswer,
} from './answers.js';
import { Calls, type Call } from './calls.js';
import { Endpoint } from './endpoint.js';
import { EndpointRotation } from './endpoint-rotation.js';
import { EtcdError } from './etcd-error.js';
import { rangeBody, transactionBody, type RangeRequest, type Transaction } from './requests.js';
import { Session } from './session.js';
import { checkSettings, type EtcdSettings } from './settings.js';
import { PrefixWatch } from './watch/prefix-watch.js';
import type { Watch, WatchOptions } from './watch/watch-options.js';

/** Status of one endpoint. */
export interface EndpointStatus {
  readonly endpoint: string;
  /** Undefined when it does not answer. */
  readonly member: MemberStatus | undefined;
  /** Whether it knows a leader and reports no errors. */
  readonly isHealthy: boolean;
  /** One line for operators when it is not healthy. */
  readonly problem: string | undefined;
}

/** Limit of answers without data. */
const SMALL_ANSWER_BYTES = 65_536;
const TRANSACTION_ANSWER_BYTES = 16 * 1_048_576;

/** A client of one cluster of etcd 3.4 or later, over its HTTP gateway. All failures are EtcdError. */
export class EtcdClient {
  private readonly rotation: EndpointRotation;
  private readonly session: Session;
  private readonly calls: Calls;
  private readonly watches = new Set<Watch>();

  /** @throws TypeError that names the setting */
  constructor(private readonly settings: EtcdSettings) {
    checkSettings(settings);
    const { endpoints, tls, credentials, requestTimeoutMs, clock } = settings;
    // Connecting to an unavailable endpoint must leave time for the others.
    const connectTimeoutMs = Math.ceil(requestTimeoutMs / (endpoints.length + 1));
    const [first, ...others] = endpoints.map((url) => new Endpoint({ url, tls, connectTimeoutMs, clock }));
    this.rotation = new EndpointRotation([first as Endpoint, ...others], settings);
    this.session = new Session(credentials);
    this.calls = new Calls(this.rotation, this.session, settings);
  }

  /** A linearizable read: it includes all writes acknowledged before. */
  range(request: RangeRequest): Promise<RangeAnswer> {
    return this.calls.call({
      name: 'range',
      path: 'kv/range',
      body: rangeBody(request),
      isSafe: true,
      read: readRange,
      maxBytes: request.maxBytes,
    });
  }

  /**
   * All of it or nothing. Sent at most once: after `unknown-outcome` the caller has to check whether it was executed.
   */
  transact(transaction: Transaction): Promise<TransactionAnswer> {
    return this.calls.call({
      name: 'transaction',
      path: 'kv/txn',
      body: transactionBody(transaction),
      isSafe: false,
      maxBytes: transaction.maxBytes ?? TRANSACTION_ANSWER_BYTES,
      read: (body, endpoint) => readTransaction(body, endpoint, transaction),
    });
  }

  /** A lease of that time, or a little longer; a lease whose answer is lost expires by itself. */
  grantLease(ttlSeconds: number): Promise<LeaseAnswer> {
    return this.calls.call({ ...small('lease/grant', { TTL: String(ttlSeconds) }), read: readLease });
  }

  /** @returns seconds that are left, at least, counted from when this was called; undefined when the lease has ended */
  keepAlive(lease: bigint): Promise<number | undefined> {
    return this.calls.call({
      ...small('lease/keepalive', { ID: String(lease) }),
      read: (body, endpoint) => readKeptAlive(body, endpoint, lease),
    });
  }

  /** Revokes a lease, and with it its keys; succeeds when the lease has already ended. */
  async revokeLease(lease: bigint): Promise<void> {
    const call = { ...small('lease/revoke', { ID: String(lease) }), read: readDone };
    await this.calls.call(call).catch(allowing((error) => isLeaseGone(error)));
  }

  /** Compacts revisions before that one; succeeds when they are already compacted. */
  async compact(revision: bigint): Promise<void> {
    const call = { ...small('kv/compaction', { revision: String(revision) }), read: readDone };
    await this.calls.call(call).catch(allowing(({ kind }) => kind === 'compacted'));
  }

  /**
   * Never rejects: problems of the watch are reported to its callbacks.
   */
  watch(options: WatchOptions): Watch {
    const { rotation, calls, session, settings } = this;
    const { clock, logger, metrics, requestTimeoutMs } = settings;
    const parts = { rotation, calls, session, clock, logger, metrics, requestTimeoutMs };
    const watch = new PrefixWatch(options, parts);
    this.watches.add(watch);
    void watch.ended.then(() => this.watches.delete(watch));
    return watch;
  }

  /** Status of all endpoints, requested concurrently. Never fails. */
  status(): Promise<EndpointStatus[]> {
    return Promise.all(this.rotation.endpoints.map((endpoint) => this.statusOf(endpoint)));
  }

  /** Ends watches, and aborts running requests. */
  async close(): Promise<void> {
    this.calls.close();
    const watches = [...this.watches];
    for (const watch of watches) watch.close();
    await Promise.all(this.rotation.endpoints.map((endpoint) => endpoint.close()));
    await Promise.all(watches.map(({ ended }) => ended));
  }

  private async statusOf(endpoint: Endpoint): Promise<EndpointStatus> {
    const call = { ...small('maintenance/status', {}), read: readStatus };
    try {
      const member = await this.calls.at(endpoint, call);
      const problem = member.errors[0] ?? (member.leader === 0n ? 'no leader' : undefined);
      return { endpoint: endpoint.url, member, isHealthy: problem === undefined, problem };
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      return { endpoint: endpoint.url, member: undefined, isHealthy: false, problem: error.message };
    }
  }
}

/** A request that may be repeated, and whose answer is a line. */
function small(path: string, body: object): Omit<Call<never>, 'read'> {
  return { name: path, path, body, maxBytes: SMALL_ANSWER_BYTES, isSafe: true };
}

function allowing(isAllowed: (error: EtcdError) => boolean): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof EtcdError) || !isAllowed(error)) throw error;
  };
}

function isLeaseGone({ refusal }: EtcdError): boolean {
  return refusal?.includes('requested lease not found') === true;
}
