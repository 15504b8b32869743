import { describe, expect, it } from '@jest/globals';
import type { AuditHead, AuditStore, ChainedAuditRecord } from '@tetrad/signer-store';
import { systemClock } from '@tetrad/types';
import { AuditLog, type AuditDecision } from './audit-log.js';

const START: AuditHead = { sequence: 0, hash: new Uint8Array(32) };

/** A log whose statements are kept until `store` writes them. */
function logOf() {
  const statements: (readonly ChainedAuditRecord[])[] = [];
  const held: (() => void)[] = [];
  let head = START;
  const append: AuditStore['append'] = async (follow) => {
    const rows = follow(head);
    statements.push(rows);
    head = rows.at(-1) ?? head;
    await new Promise<void>((done) => held.push(done));
    return rows;
  };
  const log = new AuditLog({ append } as AuditStore, systemClock);
  return { log, statements, store: () => held.shift()?.() };
}

const MEGABYTE = 1_048_576;

const decision = (bytes: number): AuditDecision => ({
  caller: '',
  key: '',
  method: 'eth_sendTransaction',
  transaction: { data: 'a'.repeat(bytes) },
  decision: 'allowed',
  reason: '',
});

const turn = () => new Promise((done) => setImmediate(done));

/** Writes one statement after the other until the work is done. */
async function during<T>(work: Promise<T>, store: () => void): Promise<T> {
  let isDone = false;
  const end = () => (isDone = true);
  work.then(end, end);
  while (!isDone) {
    store();
    await turn();
  }
  return work;
}

describe('a log of long decisions', () => {
  it('writes them with statements of bounded bytes, in order', async () => {
    const { log, statements, store } = logOf();
    const sizes = [...Array.from({ length: 60 }, () => MEGABYTE), 20 * MEGABYTE, 10];
    await during(Promise.all(sizes.map((size) => log.append(decision(size)))), store);
    const lengths = statements.map((rows) => rows.map(({ transaction = '' }) => transaction.length));
    for (const group of lengths) {
      const bytes = group.reduce((sum, length) => sum + length, 0);
      expect(group.length === 1 || bytes <= 8 * MEGABYTE).toBe(true);
    }
    const around = JSON.stringify({ data: '' }).length;
    expect(lengths.flat()).toEqual(sizes.map((size) => size + around));
    expect(statements.flat().map(({ sequence }) => sequence)).toEqual(sizes.map((_, at) => at + 1));
  });

  it('refuses them when too many bytes wait for the database, and goes on', async () => {
    const { log, store } = logOf();
    const first = log.append(decision(10));
    await turn();
    const waiting = Array.from({ length: 12 }, () => log.append(decision(20 * MEGABYTE)));
    await expect(log.append(decision(20 * MEGABYTE))).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    const small = log.append(decision(10));
    await during(Promise.all([first, ...waiting, small]), store);
    await during(log.append(decision(20 * MEGABYTE)), store);
  });
});
