import { asBuffer } from '@tetrad/db';
import { columnsOf } from '@tetrad/db/client';
import type pg from 'pg';
import { missingHead, type AuditHead } from '../audit-rows.js';
import { auditEntry, auditHead } from '../generated/tables.js';

const LOCK = `
  SELECT ${columnsOf(auditHead, ['sequence', 'hash'])} FROM ${auditHead.table}
   WHERE ${auditHead.columns.id} = 1 FOR UPDATE`;
const FIND = `
  SELECT 1 FROM ${auditEntry.table} WHERE ${auditEntry.columns.sequence} = $1 AND ${auditEntry.columns.hash} = $2`;

/**
 * Locks the head until the transaction ends.
 * @throws Error when it is gone
 */
export async function lockAuditHead(client: pg.ClientBase): Promise<AuditHead> {
  const { rows } = await client.query<AuditHead>({ name: 'lock-audit-head', text: LOCK });
  const [head] = rows;
  if (head === undefined) throw missingHead();
  return head;
}

/**
 * Whether there is an entry of that number and hash.
 * @param client - has locked the head
 */
export async function isAuditEntry(client: pg.ClientBase, { sequence, hash }: AuditHead): Promise<boolean> {
  const values = [sequence, asBuffer(hash)];
  return (await client.query({ name: 'find-audit-head', text: FIND, values })).rowCount === 1;
}
