import type { Database } from '@tetrad/db';
import type { AuditHead, AuditRow } from './audit-store.js';
import { PrismaClient } from './generated/client.js';

/** Rows read at a time. */
const PAGE = 1_000;

/** Reads the audit log back, as its verification does. */
export class AuditReader {
  private readonly prisma: PrismaClient;

  constructor(database: Database) {
    this.prisma = new PrismaClient({ adapter: database.adapter });
  }

  async head(): Promise<AuditHead> {
    const head = await this.prisma.auditHead.findUniqueOrThrow({ where: { id: 1 } });
    return { sequence: Number(head.sequence), hash: head.hash };
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
