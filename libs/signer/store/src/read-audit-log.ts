import { missingHead, type AuditEnd, type ChainedAuditRecord } from './audit-rows.js';
import type { SignerCalls } from './signer-client.js';

/** Rows read at a time. */
const PAGE = 1_000;

/**
 * Head and newest entry as they were at one moment: entries may be added meanwhile.
 * @throws Error without a head
 */
export async function readAuditEnd(client: SignerCalls): Promise<AuditEnd> {
  const select = { sequence: true, hash: true } as const;
  const [head, newest] = await client.$transaction(
    [
      client.auditHead.findUnique({ where: { id: 1 }, select }),
      client.auditEntry.findFirst({ where: { sequence: { gte: 0 } }, orderBy: { sequence: 'desc' }, select }),
    ],
    { isolationLevel: 'RepeatableRead' },
  );
  if (head === null) throw missingHead();
  return { head: endOf(head), newest: newest === null ? undefined : endOf(newest) };
}

function endOf({ sequence, hash }: { readonly sequence: bigint; readonly hash: Uint8Array }) {
  return { sequence: Number(sequence), hash };
}

/** All entries in order, read page by page. */
export async function* readAuditRows(client: SignerCalls): AsyncGenerator<ChainedAuditRecord> {
  for (let last = -1; ;) {
    const rows = await client.auditEntry.findMany({
      where: { sequence: { gt: last } },
      orderBy: { sequence: 'asc' },
      take: PAGE,
    });
    for (const { sequence, timeMs, digest, transaction, ...row } of rows) {
      last = Number(sequence);
      yield {
        ...row,
        sequence: last,
        timeMs: Number(timeMs),
        digest: digest ?? undefined,
        transaction: transaction ?? undefined,
      };
    }
    if (rows.length < PAGE) return;
  }
}
