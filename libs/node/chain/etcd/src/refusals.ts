import { z } from 'zod';
import { EtcdError, type EtcdErrorKind } from './etcd-error.js';
import { malformed, readText } from './wire.js';

interface Meaning {
  readonly kind: EtcdErrorKind;
  readonly mayBeExecuted?: boolean;
}

/**
 * Texts of etcd, first match wins: etcd's api/v3rpc/rpctypes/error.go. A request refused on arrival, or when it is
 * applied, is not executed; one that was proposed without an answer may be.
 */
const MEANINGS: readonly (readonly [part: string, meaning: Meaning])[] = [
  ['required revision has been compacted', { kind: 'compacted' }],
  ['database space exceeded', { kind: 'no-space' }],
  ['request is too large', { kind: 'too-large' }],
  ['received message larger than max', { kind: 'too-large' }],
  ['too many operations in txn request', { kind: 'too-large' }],
  ['rpc not supported for learner', { kind: 'unavailable' }],
  ['etcdserver: too many requests', { kind: 'unavailable' }],
  ['no leader', { kind: 'no-leader', mayBeExecuted: true }],
  ['leader changed', { kind: 'no-leader', mayBeExecuted: true }],
  ['authentication failed', { kind: 'denied' }],
  ['permission denied', { kind: 'denied' }],
  ['invalid auth token', { kind: 'denied' }],
  ['user name is empty', { kind: 'denied' }],
  ['revision of auth store is old', { kind: 'denied' }],
];
/** The token is no longer valid: a new one helps. */
const TOKEN_REFUSALS = ['invalid auth token', 'user name is empty', 'revision of auth store is old'];

/** Codes of gRPC: cancelled, unknown, deadline exceeded, internal, unavailable, data loss. */
const NO_ANSWER = [1, 2, 4, 13, 14, 15];
/** Permission denied, unauthenticated. */
const DENIED = [7, 16];

/** Of a stream; the names of the code differ between versions of the gateway. */
const streamRefusal = z.looseObject({
  message: z.string(),
  code: z.int().optional(),
  grpc_code: z.int().optional(),
});
const refusal = z.looseObject({
  message: z.string().optional(),
  error: z.union([z.string(), streamRefusal]).optional(),
  code: z.int().optional(),
});

/** The error of an answer with another status than 200. */
export function refusalOf(endpoint: string, status: number, body: Uint8Array): EtcdError {
  const read = refusal.safeParse(parsed(body, endpoint));
  const { message, error, code } = read.data ?? {};
  if (typeof error === 'object') return streamRefusalOf(endpoint, error);
  const text = message ?? error;
  if (text !== undefined) return errorOf(endpoint, text, code);
  // A proxy, or a server other than etcd 3.4 or later.
  if (status >= 500)
    return new EtcdError('unavailable', `${endpoint} answers with status ${status}`, { mayBeExecuted: true });
  return malformed(endpoint, `status ${status} without a reason`);
}

/** The error of the member `error` of a line in a stream. */
export function streamRefusalOf(endpoint: string, value: unknown): EtcdError {
  const read = streamRefusal.safeParse(value);
  if (!read.success) return malformed(endpoint, 'an error without a message');
  return errorOf(endpoint, read.data.message, read.data.grpc_code ?? read.data.code);
}

/**
 * The error of a text of etcd.
 * @param code - of gRPC
 */
export function errorOf(endpoint: string, text: string, code: number | undefined): EtcdError {
  const [, meaning] = MEANINGS.find(([part]) => text.includes(part)) ?? [undefined, meaningOf(code)];
  return new EtcdError(meaning.kind, `${endpoint}: ${text}`, {
    mayBeExecuted: meaning.mayBeExecuted ?? false,
    refusal: text,
  });
}

export function isTokenRefusal(error: unknown): boolean {
  const text = error instanceof EtcdError ? error.refusal : undefined;
  return text !== undefined && TOKEN_REFUSALS.some((part) => text.includes(part));
}

function meaningOf(code: number | undefined): Meaning {
  if (code === undefined || NO_ANSWER.includes(code)) return { kind: 'unavailable', mayBeExecuted: true };
  return { kind: DENIED.includes(code) ? 'denied' : 'rejected' };
}

function parsed(body: Uint8Array, endpoint: string): unknown {
  try {
    return readText(body, endpoint);
  } catch (error) {
    if (error instanceof EtcdError) return undefined;
    throw error;
  }
}
