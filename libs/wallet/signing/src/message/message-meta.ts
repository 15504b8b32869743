import { contentIdOf } from './content-id.js';
import { CoinMessageError } from './message-error.js';

/** What the caller of the older interface says that the data to sign is. */
export interface MessageMeta {
  readonly type: 'unknown' | 'message' | 'block' | 'dealproposal';
  /** For `message` its CBOR, whose content id the data must be. */
  readonly extra: Uint8Array | null;
}

/** Fails: CoinMessageError (META_MISMATCH) when the data is not the content id of the message in `meta` */
export function assertMetaFits(data: Uint8Array, meta: MessageMeta): void {
  if (meta.type !== 'message') return;
  if (Buffer.from(data).equals(contentIdOf(meta.extra ?? new Uint8Array(0)))) return;
  throw new CoinMessageError(
    'META_MISMATCH',
    "Message invalid the data to sign doesn't match the CID of MsgMeta.extra",
  );
}
