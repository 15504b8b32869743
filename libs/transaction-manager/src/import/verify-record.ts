import { TetradError } from '@tetrad/types';
import { groupId, groupLookup } from '../group/group-id.js';
import { decodeGroupMessage, type GroupMessage } from '../group/group-message.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import { decodeCborPayload } from '../payload/cbor-payload.js';
import { checkPushed, payloadHash, type EncodedPayload } from '../payload/encoded-payload.js';
import { ImportRefusedError } from './import-refused-error.js';
import type { TesseraGroup, TesseraPayload, TesseraRawPayload, TesseraRecord } from './tessera-tables.js';

/** A record of which everything that needs no key has been checked. */
export type VerifiedRecord =
  | { readonly kind: 'payload'; readonly record: TesseraPayload; readonly payload: EncodedPayload }
  | { readonly kind: 'raw'; readonly record: TesseraRawPayload }
  | { readonly kind: 'group'; readonly record: TesseraGroup; readonly group: GroupMessage };

/**
 * Checks that a record is what its name says.
 * @throws ImportRefusedError that names the row and the field
 */
export function verifyRecord(record: TesseraRecord): VerifiedRecord {
  if (record.kind === 'payload') return verifyPayload(record);
  if (record.kind === 'group') return verifyGroup(record);
  assertName(record, record.hash, payloadHash(record));
  return { kind: 'raw', record };
}

function verifyPayload(record: TesseraPayload): VerifiedRecord {
  const payload = inField(record.place, 'encoded_payload', () => {
    const decoded =
      record.codec === 'CBOR' ? decodeCborPayload(record.encoded) : decodeBinaryPayload(record.encoded);
    checkPushed(decoded);
    return decoded;
  });
  assertName(record, record.hash, payloadHash(payload));
  return { kind: 'payload', record, payload };
}

function verifyGroup(record: TesseraGroup): VerifiedRecord {
  const group = inField(record.place, 'data', () => decodeGroupMessage(record.data));
  if (group.kind === 'RESIDENT') return { kind: 'group', record, group };
  const { members } = group;
  assertName(record, record.id, groupId(members, group.kind === 'LEGACY' ? undefined : group.seed));
  assertName({ ...record, nameField: 'lookup_id' }, record.lookup, groupLookup(members));
  return { kind: 'group', record, group };
}

function assertName(
  { place, nameField }: Pick<TesseraRecord, 'place' | 'nameField'>,
  given: Uint8Array,
  computed: Uint8Array,
): void {
  if (Buffer.compare(given, computed) === 0) return;
  throw new ImportRefusedError(
    `${place}: ${nameField}: does not belong to the data, which gives ${hex(computed)}`,
  );
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** Names the place and the field of what a decoder or a key refuses. */
export function inField<T>(place: string, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TetradError || error instanceof TypeError)
      throw new ImportRefusedError(`${place}: ${field}: ${error.message}`);
    throw error;
  }
}
