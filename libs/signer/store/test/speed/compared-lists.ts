import { randomBytes } from 'node:crypto';
import { clientBytes } from '@tetrad/db/client';
import type { ComparedStatement } from '@tetrad/testkit';
import type { AuditHead, ChainedAuditRecord } from '../../src/audit-rows.js';
import { appendAudit } from '../../src/hot/append-audit.js';
import { readSends } from '../../src/hot/list-sends.js';
import { lockAuditHead } from '../../src/hot/lock-audit-head.js';
import { showTransactions } from '../../src/hot/show-transactions.js';
import { GROUP, PAGE, storeEntries, type FilledSigner } from './filled-signer.js';

/** Bytes of a creation of a contract, and digits of them. */
const DATA = '0x'.padEnd(2 + 2 * 12_000, '60');
const TRANSACTION = JSON.stringify({ chainId: '1', nonce: '7', value: '1', data: DATA });
const SENDS = 10_000;

/** The audit log, and the lists. */
export async function comparedLists(filled: FilledSigner): Promise<ComparedStatement[]> {
  const { client, database } = filled;
  const { id } = await client.nonceSequence.create({
    data: { chainId: 3n, account: Buffer.alloc(20), privacyGroup: Buffer.alloc(0) },
  });
  await storeEntries({ ...filled, sequenceId: Number(id) }, { first: 0, count: SENDS, state: 'accepted' });
  const start = { sequence: 0, hash: Buffer.alloc(32) };
  const rows = rowsAfter(start, { count: PAGE, transaction: TRANSACTION });
  await appendAudit(database.pool, start, { rows, later: false });
  return [...appends(filled, rows.at(-1) ?? start), ...lists(filled, Number(id))];
}

function rowsAfter(
  head: AuditHead,
  { count = GROUP, transaction = '{}' }: { readonly count?: number; readonly transaction?: string } = {},
): ChainedAuditRecord[] {
  return Array.from({ length: count }, (_, place) => ({
    sequence: head.sequence + 1 + place,
    timeMs: 0,
    caller: 'payments',
    key: '0x00',
    transaction,
    method: 'eth_sendTransaction',
    digest: randomBytes(32),
    decision: 'allowed',
    reason: '',
    previousHash: head.hash,
    hash: randomBytes(32),
  }));
}

function appends({ database, client }: FilledSigner, head: AuditHead): ComparedStatement[] {
  let last = head;
  const next = () => {
    const before = last;
    const rows = rowsAfter(before);
    last = rows.at(-1) ?? before;
    return { before, rows };
  };
  return [
    {
      statement: 'append-audit',
      rows: GROUP,
      client: () => {
        const { before, rows } = next();
        return client.$transaction(async (calls) => {
          // The check of the head wants the entries first, as the statement ends with both.
          await calls.auditEntry.createMany({
            data: rows.map(({ digest, previousHash, hash, ...row }) => ({
              ...row,
              transaction: row.transaction ?? null,
              digest: digest === undefined ? null : clientBytes(digest),
              previousHash: clientBytes(previousHash),
              hash: clientBytes(hash),
            })),
          });
          await calls.auditHead.updateMany({
            where: { id: 1, sequence: before.sequence, hash: clientBytes(before.hash) },
            data: { sequence: last.sequence, hash: clientBytes(last.hash) },
          });
        });
      },
      sql: () => {
        const { before, rows } = next();
        return appendAudit(database.pool, before, { rows, later: false });
      },
    },
    {
      statement: 'lock-audit-head',
      rows: 1,
      client: () => client.$transaction((calls) => calls.auditHead.findUnique({ where: { id: 1 } })),
      sql: () => database.transaction((own) => lockAuditHead(own)),
    },
  ];
}

function lists({ database, client }: FilledSigner, sequenceId: number): ComparedStatement[] {
  const sequences = Array.from({ length: PAGE }, (_, place) => place + 1);
  const after = { sequenceId, nonce: 500n };
  return [
    {
      statement: 'show-transactions',
      rows: PAGE,
      client: async () => {
        const found = await client.auditEntry.findMany({
          where: { sequence: { in: sequences } },
          select: { sequence: true, transaction: true },
        });
        return found.map(({ transaction }) => JSON.parse(transaction ?? '{}') as unknown);
      },
      sql: () => showTransactions(database.pool, sequences),
    },
    {
      statement: 'list-sends',
      rows: PAGE,
      client: async () => {
        const below = { OR: [{ sequenceId: { lt: sequenceId } }, { sequenceId, nonce: { lt: 500 } }] };
        const orderBy = [{ sequenceId: 'desc' }, { nonce: 'desc' }] as const;
        const key = { sequenceId: true, nonce: true };
        await client.nonceEntry.findFirst({
          where: below,
          orderBy: [...orderBy],
          select: key,
          skip: SENDS - 1,
        });
        const found = await client.nonceEntry.findMany({
          where: below,
          orderBy: [...orderBy],
          take: PAGE,
          select: { ...key, state: true, given: true, hash: true, changedAt: true },
        });
        await client.nonceSequence.findMany({ where: { id: { in: found.map((one) => one.sequenceId) } } });
      },
      sql: () => readSends(database.pool, { after, limit: PAGE }),
    },
  ];
}
