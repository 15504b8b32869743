import type { Database } from '@tetrad/db';
import { prismaAdapter } from '@tetrad/db/prisma-adapter';
import type { AuditEnd, AuditHead, AuditRow } from './audit-rows.js';
import { PrismaClient } from './generated/client.js';

/** Rows read at a time. */
const PAGE = 1_000;

/** Reads the audit log back, as its verification does. */
export class AuditReader {
  private readonly prisma: PrismaClient;

  constructor(database: Database) {
    this.prisma = new PrismaClient({ adapter: prismaAdapter(database) });
  }

  async end(): Promise<AuditEnd> {
    const [head, newest] = await this.prisma.$transaction(
      [
        this.prisma.auditHead.findUniqueOrThrow({ where: { id: 1 } }),
        this.prisma.auditEntry.findFirst({
          where: { sequence: { gte: 0 } },
          orderBy: { sequence: 'desc' },
          select: { sequence: true, hash: true },
        }),
      ],
      // Both as they were at one moment: entries may be added meanwhile.
      { isolationLevel: 'RepeatableRead' },
    );
    return { head: toHead(head), newest: newest === null ? undefined : toHead(newest) };
  }

  async *rows(): AsyncGenerator<AuditRow> {
    let last = -1n;
    for (;;) {
      const page = await this.prisma.auditEntry.findMany({
        where: { sequence: { gt: last } },
        orderBy: { sequence: 'asc' },
        take: PAGE,
      });
      for (const { sequence, timeMs, digest, transaction, ...row } of page) {
        yield {
          ...row,
          sequence: Number(sequence),
          timeMs: Number(timeMs),
          digest: digest ?? undefined,
          transaction: transaction ?? undefined,
        };
      }
      if (page.length < PAGE) return;
      last = page.at(-1)?.sequence ?? last;
    }
  }

  close(): Promise<void> {
    return this.prisma.$disconnect();
  }
}

function toHead({ sequence, hash }: { readonly sequence: bigint; readonly hash: Uint8Array }): AuditHead {
  return { sequence: Number(sequence), hash };
}
