/** UTF-8 text, or bytes. */
export type EtcdKey = string | Uint8Array;

export interface RangeRequest {
  readonly key: EtcdKey;
  /** First key behind the range; without it, the one key. */
  readonly rangeEnd?: EtcdKey | undefined;
  /** Maximum number of entries; without it, `maxBytes` is the limit. */
  readonly limit?: number | undefined;
  /** As of this revision; the newest without it. */
  readonly revision?: bigint | undefined;
  /** Without values. */
  readonly keysOnly?: boolean | undefined;
  /** Maximum size in bytes of the answer as etcd writes it, base64 in JSON. */
  readonly maxBytes: number;
}

export type Comparison = {
  readonly key: EtcdKey;
  readonly result: 'EQUAL' | 'NOT_EQUAL' | 'GREATER' | 'LESS';
} & (
  | { readonly target: 'VALUE'; readonly value: Uint8Array }
  /** `number` is zero for a key that is not there. */
  | { readonly target: 'CREATE' | 'MOD' | 'VERSION' | 'LEASE'; readonly number: bigint }
);

export type Operation =
  | {
      readonly kind: 'put';
      readonly key: EtcdKey;
      readonly value: Uint8Array;
      readonly lease?: bigint | undefined;
    }
  | { readonly kind: 'delete'; readonly key: EtcdKey; readonly rangeEnd?: EtcdKey | undefined }
  | ({ readonly kind: 'range' } & Omit<RangeRequest, 'maxBytes' | 'revision'>);

export interface Transaction {
  /** Conditions, which must all hold. */
  readonly compare: readonly Comparison[];
  /** Executed when the comparisons hold. A key is written at most once. */
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
  /** Maximum size in bytes of the answer; default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

export interface WatchTarget {
  readonly prefix: EtcdKey;
  readonly fromRevision: bigint;
}

export function keyBytes(key: EtcdKey): Buffer {
  return typeof key === 'string'
    ? Buffer.from(key, 'utf8')
    : Buffer.from(key.buffer, key.byteOffset, key.byteLength);
}

/** First key behind those that begin with the prefix; a zero byte, which is etcd's end of all keys, behind 0xff. */
export function prefixEnd(prefix: EtcdKey): Buffer {
  const end = Buffer.from(keyBytes(prefix));
  for (let at = end.length - 1; at >= 0; at--) {
    if (end[at] === 0xff) continue;
    end[at] = (end[at] as number) + 1;
    return end.subarray(0, at + 1);
  }
  return Buffer.alloc(1);
}

export function rangeBody(request: Omit<RangeRequest, 'maxBytes'>): object {
  const { limit, revision, keysOnly } = request;
  return {
    ...keysOf(request),
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...(revision === undefined ? {} : { revision: String(revision) }),
    ...(keysOnly === true ? { keys_only: true } : {}),
  };
}

export function transactionBody({ compare, success, failure }: Transaction): object {
  return {
    compare: compare.map(comparisonBody),
    success: success.map(operationBody),
    failure: failure.map(operationBody),
  };
}

/** Asks for progress notifications, and for revisions in fragments of at most etcd's largest request. */
export function watchBody({ prefix, fromRevision }: WatchTarget): object {
  return {
    create_request: {
      ...keysOf({ key: prefix, rangeEnd: prefixEnd(prefix) }),
      start_revision: String(fromRevision),
      progress_notify: true,
      fragment: true,
    },
  };
}

function comparisonBody(comparison: Comparison): object {
  const { key, target, result } = comparison;
  return { key: base64(key), target, result, ...comparedBody(comparison) };
}

function comparedBody(comparison: Comparison): object {
  switch (comparison.target) {
    case 'VALUE':
      return { value: base64(comparison.value) };
    case 'CREATE':
      return { create_revision: String(comparison.number) };
    case 'MOD':
      return { mod_revision: String(comparison.number) };
    case 'VERSION':
      return { version: String(comparison.number) };
    case 'LEASE':
      return { lease: String(comparison.number) };
  }
}

function operationBody(operation: Operation): object {
  switch (operation.kind) {
    case 'put': {
      const lease = operation.lease === undefined ? {} : { lease: String(operation.lease) };
      return {
        request_put: { key: base64(operation.key), value: base64(operation.value), ...lease },
      };
    }
    case 'delete':
      return { request_delete_range: keysOf(operation) };
    case 'range':
      return { request_range: rangeBody(operation) };
  }
}

function keysOf({ key, rangeEnd }: { readonly key: EtcdKey; readonly rangeEnd?: EtcdKey | undefined }) {
  return { key: base64(key), ...(rangeEnd === undefined ? {} : { range_end: base64(rangeEnd) }) };
}

function base64(key: EtcdKey): string {
  return keyBytes(key).toString('base64');
}
