import type { AuditEnd, AuditHead, ChainedAuditRecord } from '@tetrad/signer-store';
import { AUDIT_START, hashAuditEntry } from './entry-hash.js';

/** The first row that is not what was written, and what is wrong with it. */
export interface AuditFault {
  readonly sequence: number;
  readonly problem: 'missing' | 'changed' | 'out of order';
  /** One sentence for people. */
  readonly message: string;
}

export type AuditVerdict =
  | { readonly intact: true; readonly entries: number; readonly head: AuditHead }
  | { readonly intact: false; readonly fault: AuditFault };

/**
 * Reads the chain once, row by row, and says whether it is what was written.
 *
 * Cost: one SHA-256 a row; nothing is kept
 *
 * @param rows - in the order of the table
 * @param expected - the head as it was kept, by the database or better elsewhere; without it entries that were cut off
 *   at the end are not missed
 * @returns the number of entries and the head, or the first bad row
 */
export async function verifyAuditChain(
  rows: AsyncIterable<ChainedAuditRecord> | Iterable<ChainedAuditRecord>,
  expected?: AuditHead,
): Promise<AuditVerdict> {
  let head = AUDIT_START;
  for await (const row of rows) {
    const fault = faultOf(row, head) ?? faultAgainst(expected, row);
    if (fault !== undefined) return { intact: false, fault };
    head = row;
  }
  if (expected !== undefined && head.sequence < expected.sequence) {
    const message = `entry ${head.sequence + 1} is missing: the log ends before it, and went on to ${expected.sequence}`;
    return { intact: false, fault: { sequence: head.sequence + 1, problem: 'missing', message } };
  }
  const { sequence, hash } = head;
  return { intact: true, entries: sequence, head: { sequence, hash } };
}

/**
 * The fault of the head that the database holds: it always equals the newest entry, so a head that differs was tampered
 * with, or the entries after it were.
 * @returns a sentence; undefined without a fault
 */
export function faultOfHead({ head, newest = AUDIT_START }: AuditEnd): string | undefined {
  if (head.sequence === newest.sequence && isSame(head.hash, newest.hash)) return undefined;
  const other =
    head.sequence === newest.sequence ? 'with another hash' : `the newest one is ${newest.sequence}`;
  return `its head (audit_head) was changed: it names entry ${head.sequence}, ${other}`;
}

function faultOf(row: ChainedAuditRecord, previous: AuditHead): AuditFault | undefined {
  const sequence = previous.sequence + 1;
  if (row.sequence > sequence) return fault(sequence, 'missing', `the next one is ${row.sequence}`);
  if (row.sequence < sequence) return fault(row.sequence, 'out of order', `it follows ${previous.sequence}`);
  if (!isSame(row.previousHash, previous.hash)) {
    return fault(sequence, 'changed', 'it does not follow from the one before');
  }
  return isSame(hashAuditEntry(row, row.sequence, row.previousHash), row.hash)
    ? undefined
    : fault(sequence, 'changed', 'its hash is not that of its content');
}

/** A head that was kept elsewhere detects a changed row even when all hashes after it were recomputed. */
function faultAgainst(expected: AuditHead | undefined, row: ChainedAuditRecord): AuditFault | undefined {
  return expected === undefined || row.sequence !== expected.sequence || isSame(row.hash, expected.hash)
    ? undefined
    : fault(row.sequence, 'changed', 'it is not the head that was kept');
}

function fault(sequence: number, problem: AuditFault['problem'], detail: string): AuditFault {
  return { sequence, problem, message: `entry ${sequence} is ${problem}: ${detail}` };
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
