import { z } from 'zod';
import { entryOf, header, keyValue, type Entry } from '../answers.js';
import { streamRefusalOf } from '../refusals.js';
import { count, flag, int64, readAs } from '../wire.js';

/** One change of one key. */
export type WatchEvent =
  | { readonly type: 'put'; readonly entry: Entry }
  | { readonly type: 'delete'; readonly key: Buffer; readonly modRevision: bigint };

/** One line of a watch. */
export interface WatchMessage {
  readonly clusterId: bigint;
  /** Revision of the member when it wrote the line; zero where it is absent. */
  readonly revision: bigint;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly cancelReason: string;
  /** Zero unless the watch asked for compacted revisions; then the first available one. */
  readonly compactRevision: bigint;
  /** Whether more events of the last revision may follow in the next line. */
  readonly isFragment: boolean;
  readonly events: readonly WatchEvent[];
}

const message = z.looseObject({
  header,
  watch_id: int64.default(0n),
  created: flag,
  canceled: flag,
  cancel_reason: z.string().default(''),
  compact_revision: count,
  fragment: flag,
  events: z
    .array(z.looseObject({ type: z.enum(['PUT', 'DELETE']).default('PUT'), kv: keyValue }))
    .default([]),
});
const line = z.union([
  z.looseObject({ result: message, error: z.undefined().optional() }),
  z.looseObject({ result: z.undefined().optional(), error: z.looseObject({}) }),
]);

/** @throws EtcdError malformed; that of etcd where it ends the stream with an error */
export function readWatchLine(text: Uint8Array, endpoint: string): WatchMessage {
  const { result, error } = readAs(line, text, endpoint);
  if (result === undefined) throw streamRefusalOf(endpoint, error);
  return {
    clusterId: result.header.cluster_id,
    revision: result.header.revision,
    created: result.created,
    canceled: result.canceled,
    cancelReason: result.cancel_reason,
    compactRevision: result.compact_revision,
    isFragment: result.fragment,
    events: result.events.map(({ type, kv }) =>
      type === 'PUT'
        ? { type: 'put', entry: entryOf(kv) }
        : { type: 'delete', key: kv.key, modRevision: kv.mod_revision },
    ),
  };
}

export function revisionOf(event: WatchEvent): bigint {
  return event.type === 'put' ? event.entry.modRevision : event.modRevision;
}
