import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { RequestError, systemClock, type SignedTransaction } from '@tetrad/types';
import type { PoolLimits } from '@tetrad/node-pool';
import { OWNERS, openTestLedger, transfer, untilMined, type TestLedger } from './open-test-ledger.js';

let database: TestDatabase;
let chain: TestLedger;

async function reopen(limits: Partial<PoolLimits> = {}): Promise<void> {
  await chain.close();
  chain = await openTestLedger(database.url, { limits });
}

beforeEach(async () => {
  database = await createTestDatabase('node');
  chain = await openTestLedger(database.url);
});
afterEach(async () => {
  await chain.close();
  await database.drop();
});

const add = (transaction: SignedTransaction) =>
  chain.pool.add(transaction).then(
    () => 'accepted',
    (error: Error) => (error instanceof RequestError ? error.code : error.message),
  );
async function withoutJournal(work: () => Promise<void>): Promise<void> {
  await chain.database.pool.query('ALTER TABLE pool_transaction RENAME TO elsewhere');
  await work();
  await chain.database.pool.query('ALTER TABLE elsewhere RENAME TO pool_transaction');
}
const owner = (index: number) => (OWNERS[index] as (typeof OWNERS)[number]).address;

describe('the pool', () => {
  it('journals what it accepts and has it again after a restart, in order', async () => {
    const accepted = [transfer(0, 0), transfer(0, 1), transfer(1, 3)];
    for (const transaction of accepted) expect(await add(transaction)).toBe('accepted');
    await reopen();
    expect(chain.pool.size).toBe(3);
    for (const { hash } of accepted) expect(chain.pool.find(hash)?.hash).toBe(hash);
    const production = await chain.produce();
    while ((await chain.pool.pendingNonce(owner(0))) < 2n || chain.pool.size > 1)
      await new Promise((tick) => setTimeout(tick, 10));
    await production.stop();
    await reopen();
    // Only the one behind the gap is left.
    expect(chain.pool.size).toBe(1);
  });

  describe('given a transaction of a peer', () => {
    const rows = async () => (await chain.store.journal.load()).map(({ hash }) => hash);
    const addRemote = (transaction: SignedTransaction) =>
      chain.pool.addRemote(transaction).then(
        () => 'accepted',
        (error: Error) => (error instanceof RequestError ? error.code : error.message),
      );

    it('keeps it without a journal row, and refuses a second one as known', async () => {
      const transaction = transfer(0, 0);
      expect(await addRemote(transaction)).toBe('accepted');
      expect(await addRemote(transaction)).toBe('ALREADY_KNOWN');
      expect(chain.pool.find(transaction.hash)?.hash).toBe(transaction.hash);
      expect(await rows()).toEqual([]);
      await reopen();
      expect(chain.pool.size).toBe(0);
    });

    it('journals it once, before a client gets "already known"', async () => {
      const transaction = transfer(0, 0);
      await addRemote(transaction);
      expect(await add(transaction)).toBe('ALREADY_KNOWN');
      expect(await rows()).toEqual([transaction.hash]);
      const { journal } = chain.store;
      const append = journal.append.bind(journal);
      journal.append = () => Promise.reject(new Error('a second row'));
      expect(await add(transaction)).toBe('ALREADY_KNOWN');
      journal.append = append;
      await reopen();
      expect(chain.pool.find(transaction.hash)?.hash).toBe(transaction.hash);
    });

    it('fails the request when its row cannot be written, and tries again with the next', async () => {
      const transaction = transfer(0, 0);
      await addRemote(transaction);
      await withoutJournal(async () => expect(await add(transaction)).toMatch(/pool_transaction/));
      expect(await rows()).toEqual([]);
      expect(await add(transaction)).toBe('ALREADY_KNOWN');
      expect(await rows()).toEqual([transaction.hash]);
    });

    it('writes nothing for one that a client sent before', async () => {
      const transaction = transfer(0, 0);
      expect(await add(transaction)).toBe('accepted');
      expect(await addRemote(transaction)).toBe('ALREADY_KNOWN');
      expect(await rows()).toEqual([transaction.hash]);
    });

    it('journals one that replaces another, whose row is deleted', async () => {
      const first = transfer(0, 0);
      expect(await add(first)).toBe('accepted');
      const dearer = transfer(0, 0, { gasPrice: 2n });
      expect(await addRemote(dearer)).toBe('accepted');
      expect(await rows()).toEqual([dearer.hash]);
      await reopen();
      expect(chain.pool.find(dearer.hash)?.hash).toBe(dearer.hash);
    });
  });

  it('separates pending from queued at the first gap', async () => {
    for (const nonce of [0, 1, 3, 4]) await add(transfer(0, nonce));
    const { pending, queued } = await chain.pool.content();
    expect(pending.get(owner(0))?.map(({ nonce }) => nonce)).toEqual([0n, 1n]);
    expect(queued.get(owner(0))?.map(({ nonce }) => nonce)).toEqual([3n, 4n]);
    expect(await chain.pool.pendingNonce(owner(0))).toBe(2n);
    await add(transfer(0, 2));
    expect(await chain.pool.pendingNonce(owner(0))).toBe(5n);
  });

  it('replaces at a higher price only, and keeps the replacement over a restart', async () => {
    expect(await add(transfer(0, 1))).toBe('accepted');
    expect(await add(transfer(0, 1))).toBe('ALREADY_KNOWN');
    expect(await add(transfer(0, 1, { to: owner(1) }))).toBe('REPLACEMENT_UNDERPRICED');
    const dearer = transfer(0, 1, { gasPrice: 2n });
    expect(await add(dearer)).toBe('accepted');
    await reopen();
    expect(chain.pool.size).toBe(1);
    expect(chain.pool.find(dearer.hash)).toBeDefined();
  });

  it('keeps its limits', async () => {
    await reopen({ total: 3, perAccount: 2, minimumGasPrice: 1n });
    expect(await add(transfer(0, 0))).toBe('UNDERPRICED');
    const paid = (from: number, nonce: number) => add(transfer(from, nonce, { gasPrice: 1n }));
    expect([await paid(0, 0), await paid(0, 1), await paid(0, 2)]).toEqual([
      'accepted',
      'accepted',
      'ACCOUNT_LIMIT_EXCEEDED',
    ]);
    expect([await paid(1, 0), await paid(2, 0)]).toEqual(['accepted', 'POOL_FULL']);
    await reopen({ transactionBytes: 50 });
    expect(await add(transfer(3, 0))).toBe('OVERSIZED_DATA');
  });

  it('accepts one of two with the same nonce that come at the same time', async () => {
    const results = await Promise.all([add(transfer(0, 0)), add(transfer(0, 0, { to: owner(1) }))]);
    expect(results.sort()).toEqual(['REPLACEMENT_UNDERPRICED', 'accepted']);
  });

  it('acknowledges nothing when the journal cannot be written', async () => {
    await withoutJournal(async () => expect(await add(transfer(0, 0))).toMatch(/pool_transaction/));
    expect(chain.pool.size).toBe(0);
    expect(await add(transfer(0, 0))).toBe('accepted');
  });

  it('keeps the replaced transaction when the replacement cannot be journalled', async () => {
    const first = await chain.produce();
    await add(transfer(0, 0));
    await untilMined(chain);
    await first.stop();
    const kept = transfer(0, 1);
    expect(await add(kept)).toBe('accepted');
    await withoutJournal(async () => {
      const replacements = [1n, 2n, 3n].map((gasPrice) => add(transfer(0, 1, { gasPrice })));
      for (const result of await Promise.all(replacements)) expect(result).toMatch(/pool_transaction/);
    });
    expect(chain.pool.find(kept.hash)?.hash).toBe(kept.hash);
    const second = await chain.produce();
    await untilMined(chain);
    await second.stop();
    expect((await chain.ledger.findTransaction(kept.hash))?.transaction.hash).toBe(kept.hash);
  });

  it('mines a replacement although the row of what it replaced could not be removed', async () => {
    await add(transfer(0, 0));
    const replacement = transfer(0, 0, { gasPrice: 1n });
    const { journal } = chain.store;
    const remove = journal.remove.bind(journal);
    journal.remove = () => Promise.reject(new Error('the database is unavailable'));
    expect(await add(replacement)).toBe('accepted');
    journal.remove = remove;
    const production = await chain.produce();
    await untilMined(chain);
    await production.stop();
    expect((await chain.ledger.findTransaction(replacement.hash))?.transaction.hash).toBe(replacement.hash);
    await reopen();
    expect(chain.pool.size).toBe(0);
  });

  it('selects transactions by price for blocks, and those of a sender by nonce', async () => {
    await add(transfer(0, 0, { gasPrice: 1n }));
    await add(transfer(1, 0, { gasPrice: 5n }));
    await add(transfer(0, 1, { gasPrice: 9n }));
    const { selection, release } = chain.pool.select();
    const taken: string[] = [];
    for (let entry = selection.next(); entry !== undefined; entry = selection.next()) {
      taken.push(
        `${OWNERS.findIndex(({ address }) => address === entry?.transaction.sender)}:${entry.transaction.nonce}`,
      );
      selection.accept(entry);
    }
    release();
    expect(taken).toEqual(['1:0', '0:0', '0:1']);
  });

  it('drops transactions that waited too long behind a gap, when a lifetime is configured', async () => {
    let ahead = 0;
    await chain.close();
    chain = await openTestLedger(database.url, {
      limits: { queuedLifetimeMs: 600_000 },
      clock: { ...systemClock, now: () => Date.now() + ahead },
    });
    expect([await add(transfer(0, 1)), await add(transfer(1, 0))]).toEqual(['accepted', 'accepted']);
    expect(chain.pool.status()).toEqual({ pending: 1, queued: 1 });
    ahead = 3_600_000;
    const production = await chain.produce();
    while (chain.pool.size > 0) await new Promise((tick) => setTimeout(tick, 10));
    await production.stop();
    expect(await chain.ledger.findTransaction(transfer(1, 0).hash)).toBeDefined();
    await reopen();
    expect(chain.pool.size).toBe(0);
  });

  it('counts the time behind a gap from acceptance, over restarts too', async () => {
    expect([await add(transfer(0, 1)), await add(transfer(1, 1))]).toEqual(['accepted', 'accepted']);
    await chain.database.pool.query(
      `UPDATE pool_transaction SET accepted_at = now() - interval '4 hours'
       WHERE sequence = (SELECT min(sequence) FROM pool_transaction)`,
    );
    let now = Date.now();
    await chain.close();
    chain = await openTestLedger(database.url, { clock: { ...systemClock, now: () => now } });
    // Nothing goes before the node had time to catch up.
    expect(await add(transfer(2, 1))).toBe('accepted');
    expect(chain.pool.size).toBe(3);
    now += 3_600_000;
    expect(await add(transfer(3, 1))).toBe('accepted');
    expect(chain.pool.find(transfer(0, 1).hash)).toBeUndefined();
    expect(chain.pool.size).toBe(3);
    await reopen();
    expect(chain.pool.size).toBe(3);
  });

  it('restores transactions evicted for one that could not be journalled', async () => {
    await reopen({ total: 2 });
    for (const transaction of [transfer(0, 0), transfer(1, 1)])
      expect(await add(transaction)).toBe('accepted');
    await withoutJournal(async () => expect(await add(transfer(2, 0))).toMatch(/pool_transaction/));
    expect(chain.pool.find(transfer(1, 1).hash)).toBeDefined();
    expect(chain.pool.status()).toEqual({ pending: 1, queued: 1 });
    expect(await add(transfer(2, 0))).toBe('accepted');
    expect(chain.pool.status()).toEqual({ pending: 2, queued: 0 });
    const rows = (await chain.store.journal.load()).map(({ hash }) => hash);
    expect(rows).toEqual([transfer(0, 0).hash, transfer(2, 0).hash]);
  });

  it('is emptied by blocks, and mined nonces are too low afterwards', async () => {
    const production = await chain.produce();
    for (let nonce = 0; nonce < 5; nonce++) await add(transfer(0, nonce));
    await untilMined(chain);
    await production.stop();
    expect(await add(transfer(0, 4))).toMatch(/NONCE_TOO_LOW/);
    expect(
      (await chain.database.pool.query('SELECT count(*) AS rows FROM pool_transaction')).rows[0],
    ).toEqual({ rows: 0 });
  });
});
