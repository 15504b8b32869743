import { parseHash, type Hash } from '@tetrad/types';
import { z } from 'zod';
import { LogError } from './log-error.js';

/** The newest block of the log. */
export interface LogHead {
  readonly number: number;
  readonly hash: Hash;
}

/** Kind of a member; ids of removed members are never reused (docs/spec/raft.md, "Membership"). */
export type MemberKind = 'voter' | 'learner' | 'removed';

export interface Member {
  readonly raftId: number;
  /** 128 hex digits, without 0x. */
  readonly nodeId: string;
  readonly hostname: string;
  readonly p2pPort: number;
  readonly raftPort: number;
  readonly kind: MemberKind;
}

export const MAX_RAFT_ID = 0xffff;

const raftId = z.int().min(1).max(MAX_RAFT_ID);
const port = z.int().min(0).max(65_535);
const head = z.strictObject({
  number: z.int().min(0),
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
});
const member = z.strictObject({
  raftId,
  nodeId: z.string().regex(/^[0-9a-f]{128}$/),
  hostname: z.string().min(1).max(255),
  p2pPort: port,
  raftPort: port,
  kind: z.enum(['voter', 'learner', 'removed']),
});

const encode = (value: object | number) => Buffer.from(JSON.stringify(value));

/** Records are compared byte by byte, so each has one encoding: members in this order, no spaces. */
export const encodeHead = ({ number, hash }: LogHead): Uint8Array => encode({ number, hash });

export function encodeMember({ raftId, nodeId, hostname, p2pPort, raftPort, kind }: Member): Uint8Array {
  return encode({ raftId, nodeId, hostname, p2pPort, raftPort, kind });
}

export const encodeNumber = (value: number): Uint8Array => encode(value);

/** @throws LogError `foreign` for a value in another form */
export function decodeHead(key: string, value: Uint8Array): LogHead {
  const { number, hash } = read(head, key, value);
  return { number, hash: parseHash(hash) };
}

/** @throws LogError `foreign` for a value in another form */
export function decodeMember(key: string, value: Uint8Array): Member {
  return read(member, key, value);
}

/** @throws LogError `foreign` for a value that is not a raft id */
export function decodeRaftId(key: string, value: Uint8Array): number {
  return read(raftId, key, value);
}

/** @throws LogError `foreign` for a value that is not a block number */
export function decodeNumber(key: string, value: Uint8Array): number {
  return read(z.int().min(0), key, value);
}

const MAX_RECORD_BYTES = 4096;

function read<Value>(schema: z.ZodType<Value>, key: string, value: Uint8Array): Value {
  const foreign = (why: string) => new LogError('foreign', `${key} in etcd is not of this software: ${why}`);
  if (value.length > MAX_RECORD_BYTES) throw foreign(`${value.length} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(value).toString('utf8'));
  } catch {
    throw foreign('no JSON');
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw foreign(parsed.error.issues[0]?.message ?? 'another shape');
  return parsed.data;
}
