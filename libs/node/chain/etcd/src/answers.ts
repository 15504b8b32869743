import { z } from 'zod';
import type { Operation } from './requests.js';
import { bytes, count, flag, int64, malformed, readAs, uint64 } from './wire.js';

/** A key with its value and metadata. */
export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  /** Writes since it was created, from 1. */
  readonly version: bigint;
  /** Zero without one. */
  readonly lease: bigint;
}

export interface RangeResult {
  readonly entries: readonly Entry[];
  /** Whether the limit cut off entries. */
  readonly more: boolean;
  /** Keys in the range, including those beyond the limit. */
  readonly count: bigint;
}

export interface RangeAnswer extends RangeResult {
  /** Revision of the cluster, when it answered. */
  readonly revision: bigint;
  readonly clusterId: bigint;
}

export type OperationResult =
  | { readonly kind: 'put' }
  | { readonly kind: 'delete'; readonly deleted: bigint }
  | ({ readonly kind: 'range' } & RangeResult);

export interface TransactionAnswer {
  /** Whether the comparisons held. */
  readonly succeeded: boolean;
  /** Revision of the cluster after it; its own when it wrote something. */
  readonly revision: bigint;
  /** One for each operation of the branch that was executed. */
  readonly responses: readonly OperationResult[];
}

export interface LeaseAnswer {
  readonly lease: bigint;
  readonly ttlSeconds: number;
}

export interface MemberStatus {
  readonly version: string;
  readonly clusterId: bigint;
  readonly memberId: bigint;
  /** Id of the member that leads, zero for none. */
  readonly leader: bigint;
  readonly isLearner: boolean;
  readonly revision: bigint;
  readonly raftTerm: bigint;
  /** Bytes of the file. */
  readonly dbSize: bigint;
  readonly dbSizeInUse: bigint;
  /** Errors of the member that etcd reports, such as alarms. */
  readonly errors: readonly string[];
}

/** Header of an answer: the cluster, and its revision, which is never zero. */
export const header = z.looseObject({
  cluster_id: uint64.refine((id) => id !== 0n, 'missing'),
  member_id: uint64,
  revision: count,
  raft_term: count,
});
const wholeHeader = header.refine(({ revision }) => revision > 0n, 'without a revision');

export const keyValue = z.looseObject({
  key: bytes,
  value: bytes,
  create_revision: count,
  mod_revision: count.refine((revision) => revision > 0n, 'missing'),
  version: count,
  lease: int64.default(0n),
});
const rangeShape = { kvs: z.array(keyValue).default([]), more: flag, count };
const rangeAnswer = z.looseObject({ header: wholeHeader, ...rangeShape });

const response = z.looseObject({
  response_put: z.looseObject({}).optional(),
  response_range: z.looseObject(rangeShape).optional(),
  response_delete_range: z.looseObject({ deleted: count }).optional(),
});
const transactionAnswer = z.looseObject({
  header: wholeHeader,
  succeeded: flag,
  responses: z.array(response).default([]),
});

const granted = z.looseObject({ ID: int64, TTL: count });
const keptAlive = z.looseObject({ result: granted });
const authenticated = z.looseObject({ token: z.string().min(1).max(8_192) });
const statusAnswer = z.looseObject({
  header,
  version: z.string().max(100),
  dbSize: count,
  dbSizeInUse: count,
  leader: uint64,
  isLearner: flag,
  errors: z.array(z.string()).max(1_000).default([]),
});
const compacted = z.looseObject({ header });

export function readRange(body: Uint8Array, endpoint: string): RangeAnswer {
  const answer = readAs(rangeAnswer, body, endpoint);
  return {
    ...rangeResult(answer),
    revision: answer.header.revision,
    clusterId: answer.header.cluster_id,
  };
}

/** @throws EtcdError malformed also when the answer is not that of these operations */
export function readTransaction(
  body: Uint8Array,
  endpoint: string,
  { success, failure }: { readonly success: readonly Operation[]; readonly failure: readonly Operation[] },
): TransactionAnswer {
  const answer = readAs(transactionAnswer, body, endpoint);
  const asked = answer.succeeded ? success : failure;
  if (answer.responses.length !== asked.length)
    throw malformed(endpoint, `${answer.responses.length} responses to ${asked.length} operations`);
  const responses = asked.map(({ kind }, index) => {
    const result = resultOf(answer.responses[index], kind);
    if (result === undefined) throw malformed(endpoint, `responses.${index}: not that of a ${kind}`);
    return result;
  });
  return { succeeded: answer.succeeded, revision: answer.header.revision, responses };
}

export function readLease(body: Uint8Array, endpoint: string): LeaseAnswer {
  const { ID, TTL } = readAs(granted, body, endpoint);
  if (ID === 0n || TTL === 0n) throw malformed(endpoint, 'a lease without an id or a time');
  return { lease: ID, ttlSeconds: Number(TTL) };
}

/** Seconds that are left; undefined when the lease is gone. */
export function readKeptAlive(body: Uint8Array, endpoint: string, lease: bigint): number | undefined {
  const { ID, TTL } = readAs(keptAlive, body, endpoint).result;
  if (ID !== lease) throw malformed(endpoint, 'the answer is about another lease');
  return TTL === 0n ? undefined : Number(TTL);
}

export function readToken(body: Uint8Array, endpoint: string): string {
  return readAs(authenticated, body, endpoint).token;
}

export function readStatus(body: Uint8Array, endpoint: string): MemberStatus {
  const answer = readAs(statusAnswer, body, endpoint);
  const { version, leader, isLearner, dbSize, dbSizeInUse, errors } = answer;
  const { cluster_id: clusterId, member_id: memberId, revision, raft_term: raftTerm } = answer.header;
  const place = { clusterId, memberId, leader, isLearner, revision, raftTerm };
  return { version, ...place, dbSize, dbSizeInUse, errors };
}

/** Reads an answer without content. */
export function readDone(body: Uint8Array, endpoint: string): void {
  readAs(compacted, body, endpoint);
}

export function entryOf(kv: z.output<typeof keyValue>): Entry {
  const { key, value, create_revision, mod_revision, version, lease } = kv;
  return { key, value, createRevision: create_revision, modRevision: mod_revision, version, lease };
}

function resultOf(
  answer: z.output<typeof response> | undefined,
  kind: Operation['kind'],
): OperationResult | undefined {
  const { response_put: put, response_range: range, response_delete_range: deleted } = answer ?? {};
  if ([put, range, deleted].filter((one) => one !== undefined).length !== 1) return undefined;
  if (kind === 'put') return put && { kind };
  if (kind === 'delete') return deleted && { kind, deleted: deleted.deleted };
  return range && { kind, ...rangeResult(range) };
}

function rangeResult(answer: {
  readonly kvs: readonly z.output<typeof keyValue>[];
  readonly more: boolean;
  readonly count: bigint;
}): RangeResult {
  return { entries: answer.kvs.map(entryOf), more: answer.more, count: answer.count };
}
