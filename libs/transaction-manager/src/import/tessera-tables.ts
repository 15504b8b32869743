import type { PtmKey } from '@tetrad/types';
import { KEY_BYTES, keyFromBytes } from '../keys/key-pair.js';
import { HASH_BYTES } from '../payload/encoded-payload.js';
import type { DumpRow } from './dump/dump-row.js';
import type { WantedColumns } from './dump/read-dump.js';
import { ImportRefusedError } from './import-refused-error.js';

/**
 * The tables of a Tessera, from its own `ddls/create-table`; the codec since 21.7 (absent before: the binary encoding). Tables
 * of its recovery, `ST_…`, hold nothing that is not in these once that has ended.
 */
export const TESSERA_TABLES: WantedColumns = new Map([
  ['encrypted_transaction', ['hash', 'encoded_payload', 'payload_codec', 'encoded_payload_codec']],
  ['encrypted_raw_transaction', ['hash', 'encrypted_key', 'encrypted_payload', 'nonce', 'sender']],
  ['privacy_group', ['id', 'lookup_id', 'data']],
]);

interface Placed {
  /** `row 3 of encrypted_transaction`, for messages. */
  readonly place: string;
  /** The column of its name. */
  readonly nameField: string;
}

export type TesseraRecord = TesseraPayload | TesseraRawPayload | TesseraGroup;

export interface TesseraPayload extends Placed {
  readonly kind: 'payload';
  readonly hash: Uint8Array;
  readonly encoded: Uint8Array;
  readonly codec: 'LEGACY' | 'CBOR';
}

export interface TesseraRawPayload extends Placed {
  readonly kind: 'raw';
  readonly hash: Uint8Array;
  readonly encryptedKey: Uint8Array;
  readonly cipherText: Uint8Array;
  readonly nonce: Uint8Array;
  readonly sender: PtmKey;
}

export interface TesseraGroup extends Placed {
  readonly kind: 'group';
  readonly id: Uint8Array;
  readonly lookup: Uint8Array;
  readonly data: Uint8Array;
}

/** Bytes of the sealed master key, and of a nonce. */
const [BOX_BYTES, NONCE_BYTES] = [48, 24];

/**
 * The record of a row.
 * @throws ImportRefusedError that names the row and the field
 */
export function recordOf(row: DumpRow): TesseraRecord {
  const place = `row ${row.row} of ${row.table}`;
  const bytes = (column: string, size?: number) => required(row, place, { column, size });
  if (row.table === 'privacy_group')
    return {
      kind: 'group',
      place,
      nameField: 'id',
      id: bytes('id'),
      lookup: bytes('lookup_id'),
      data: bytes('data'),
    };
  const hash = bytes('hash', HASH_BYTES);
  if (row.table === 'encrypted_transaction')
    return {
      kind: 'payload',
      place,
      nameField: 'hash',
      hash,
      encoded: bytes('encoded_payload'),
      codec: codecOf(row, place),
    };
  return {
    kind: 'raw',
    place,
    nameField: 'hash',
    hash,
    cipherText: bytes('encrypted_payload'),
    encryptedKey: bytes('encrypted_key', BOX_BYTES),
    nonce: bytes('nonce', NONCE_BYTES),
    sender: keyFromBytes(bytes('sender', KEY_BYTES)),
  };
}

function required(
  row: DumpRow,
  place: string,
  { column, size }: { readonly column: string; readonly size: number | undefined },
): Uint8Array {
  const bytes = row.bytes(column);
  if (bytes === undefined) throw new ImportRefusedError(`${place}: ${column}: is missing`);
  if (size !== undefined && bytes.length !== size)
    throw new ImportRefusedError(`${place}: ${column}: has ${bytes.length} bytes, not ${size}`);
  return bytes;
}

function codecOf(row: DumpRow, place: string): TesseraPayload['codec'] {
  const codec = row.text('payload_codec') ?? row.text('encoded_payload_codec') ?? 'LEGACY';
  if (codec === 'LEGACY' || codec === 'CBOR') return codec;
  throw new ImportRefusedError(`${place}: payload_codec: ${codec.slice(0, 60)} is not LEGACY or CBOR`);
}
