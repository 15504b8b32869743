import type { PtmKey } from '@tetrad/types';
import { KEY_BYTES, keyFromBytes, keyToBytes } from '../keys/key-pair.js';
import { FieldReader } from '../payload/field-reader.js';
import { FieldWriter } from '../payload/field-writer.js';

/** Most keys and most parties of one message. */
const MAX_PARTY_ENTRIES = 10_000;

/** A manager's announcement to its peers: its URL, the URLs of keys, and the managers that it knows. */
export interface PartyInfo {
  readonly url: string;
  readonly keys: readonly { readonly key: PtmKey; readonly url: string }[];
  /** URLs. */
  readonly parties: readonly string[];
}

/**
 * With F(x) a length (8) and the bytes:
 *
 *   F(url) | count (8) of keys, of each F(key 32) F(url) | count (8) of parties, of each F(url)
 */
export function encodePartyInfo({ url, keys, parties }: PartyInfo): Uint8Array {
  const writer = new FieldWriter().field(Buffer.from(url));
  writer.list(keys, (entry) => writer.field(keyToBytes(entry.key)).field(Buffer.from(entry.url)));
  writer.list(parties, (party) => writer.field(Buffer.from(party)));
  return writer.bytes();
}

/** @throws MalformedPayloadError */
export function decodePartyInfo(bytes: Uint8Array): PartyInfo {
  const reader = new FieldReader(bytes);
  const text = (name: string) => Buffer.from(reader.field(name)).toString('utf8');
  const url = text('url');
  const keys = reader.list('keys', MAX_PARTY_ENTRIES, () => {
    const key = keyFromBytes(reader.field('key', KEY_BYTES));
    return { key, url: text('url of a key') };
  });
  const parties = reader.list('parties', MAX_PARTY_ENTRIES, () => text('party'));
  reader.end();
  return { url, keys, parties };
}
