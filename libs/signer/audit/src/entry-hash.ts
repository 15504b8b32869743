import { createHash } from 'node:crypto';
import type { AuditHead, AuditRecord, AuditRow } from '@tetrad/signer-store';

/** What the first entry follows. */
export const AUDIT_START: AuditHead = { sequence: 0, hash: new Uint8Array(32) };

/** Length of a field that is absent, where an empty one has 0. */
const ABSENT = 0xffffffff;

/**
 * Hash of an entry over the one before.
 *
 * Layout: SHA-256(previous hash (32) ‖ sequence (8) ‖ time in ms (8) ‖ caller ‖ key ‖ method ‖ digest ‖ transaction ‖
 *         decision ‖ reason), big-endian; each of the seven fields as length (4) ‖ bytes (length), texts in UTF-8,
 *         an absent one as ffffffff alone
 */
export function hashAuditEntry(record: AuditRecord, sequence: number, previousHash: Uint8Array): Uint8Array {
  const hash = createHash('sha256')
    .update(previousHash)
    .update(integer(sequence))
    .update(integer(record.timeMs));
  const { caller, key, method, digest, transaction, decision, reason } = record;
  for (const field of [caller, key, method, digest, transaction, decision, reason]) {
    const bytes = typeof field === 'string' ? Buffer.from(field) : field;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes?.length ?? ABSENT);
    hash.update(length);
    if (bytes !== undefined) hash.update(bytes);
  }
  return hash.digest();
}

/** The rows that follow the head, one for each record. */
export function chainAuditEntries(records: readonly AuditRecord[], head: AuditHead): AuditRow[] {
  let { sequence, hash: previousHash } = head;
  return records.map((record) => {
    sequence += 1;
    const hash = hashAuditEntry(record, sequence, previousHash);
    const row = { ...record, sequence, previousHash, hash };
    previousHash = hash;
    return row;
  });
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
