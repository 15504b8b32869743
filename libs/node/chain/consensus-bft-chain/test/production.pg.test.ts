import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, withDatabaseName } from '@tetrad/db';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { silentLogger, type Logger } from '@tetrad/types';
import { findAccount } from '@tetrad/node-execution';
import { HastyClock } from './hasty-clock.js';
import {
  openTestLedger,
  testGenesis,
  transfer,
  untilMined,
  type TestLedger,
  type TestLedgerOptions,
} from './open-test-ledger.js';

let database: TestDatabase;
let chain: TestLedger;

async function open(options: TestLedgerOptions = {}): Promise<void> {
  chain = await openTestLedger(database.url, options);
}

beforeEach(async () => {
  database = await createTestDatabase('node');
});
afterEach(async () => {
  await chain.close();
  await database.drop();
});

const HOUR_MS = 3_600_000;
const pause = (ms: number) => new Promise((tick) => setTimeout(tick, ms));
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5);
}

/** Keeps the messages of a level. */
function recorder(level: 'warn' | 'error' | 'info', into: string[]): Logger {
  return { ...silentLogger, [level]: (message: string) => into.push(message) };
}

async function minedHashes(): Promise<string[]> {
  const { ledger } = chain;
  const hashes: string[] = [];
  for (let number = 1; number <= ledger.head().header.number; number++) {
    hashes.push(...((await ledger.findBlock(number))?.transactions ?? []).map(({ hash }) => hash));
  }
  return hashes;
}

describe('block production', () => {
  it('seals nothing ahead of its time when it is stopped; what was executed stays in the pool', async () => {
    await open({ genesis: testGenesis({ blockPeriodMs: HOUR_MS }) });
    const first = await chain.produce({ blockPeriodMs: HOUR_MS });
    await until(() => chain.ledger.head().header.number === 1);
    await chain.pool.add(transfer(0, 0));
    const sender = transfer(0, 0).sender;
    await until(async () => (await findAccount(await first.pendingWorld(), sender))?.nonce === 1n);
    await first.stop();
    expect(chain.ledger.head().header.number).toBe(1);
    expect(chain.pool.size).toBe(1);
    expect(await chain.store.journal.load()).toHaveLength(1);
  });

  it('keeps the period of the genesis file when it is asked for a shorter one', async () => {
    await open({ genesis: testGenesis({ blockPeriodMs: 1000 }) });
    const production = await chain.produce({ blockPeriodMs: 20 });
    await until(() => chain.ledger.head().header.number === 2);
    await production.stop();
    expect(await chain.ledger.verifyFromGenesis()).toBe(2);
  });

  it('delays empty blocks, but not blocks with transactions', async () => {
    await open({ genesis: testGenesis({ consensus: { emptyblockperiodseconds: 3_600 } }) });
    const production = await chain.produce({ blockPeriodMs: 20 });
    await until(() => chain.ledger.head().header.number === 1);
    // Behind a gap: no reason for a block.
    await chain.pool.add(transfer(1, 1));
    await pause(100);
    expect(chain.ledger.head().header.number).toBe(1);
    await chain.pool.add(transfer(0, 0));
    await until(() => chain.ledger.head().header.number === 2);
    await production.stop();
    expect(await minedHashes()).toEqual([transfer(0, 0).hash]);
  });

  it('mines the replacement of a transaction that the block being built had executed already', async () => {
    const clock = new HastyClock();
    await open({ genesis: testGenesis({ blockPeriodMs: HOUR_MS }), clock });
    const production = await chain.produce({ blockPeriodMs: HOUR_MS });
    await until(() => chain.ledger.head().header.number === 1);
    const replaced = transfer(0, 0);
    await chain.pool.add(replaced);
    await chain.pool.add(transfer(1, 0));
    const sender = async () => findAccount(await production.pendingWorld(), replaced.sender);
    await until(async () => (await sender())?.nonce === 1n);
    const unpaid = (await sender())?.balance ?? 0n;
    const replacement = transfer(0, 0, { gasPrice: 1n });
    await chain.pool.add(replacement);
    // Unlike what it replaced, it pays for its gas.
    await until(async () => ((await sender())?.balance ?? unpaid) < unpaid);
    clock.putForward(HOUR_MS);
    await untilMined(chain);
    await production.stop();
    expect((await minedHashes()).sort()).toEqual([replacement.hash, transfer(1, 0).hash].sort());
    expect(await chain.ledger.verifyFromGenesis()).toBe(chain.ledger.head().header.number);
  });

  it('sets a transaction aside that it cannot execute, and mines the others', async () => {
    const poison = transfer(0, 0);
    const errors: string[] = [];
    await open({
      logger: recorder('error', errors),
      wrapExecutor: (executor) => ({
        ...executor,
        executeTransaction(block, transaction, world) {
          if (transaction.hash === poison.hash) return Promise.reject(new TypeError('a bug'));
          return executor.executeTransaction(block, transaction, world);
        },
      }),
    });
    const first = await chain.produce();
    for (const transaction of [transfer(1, 0), poison, transfer(2, 0)]) await chain.pool.add(transaction);
    await until(() => chain.pool.size === 1);
    await first.stop();
    expect((await minedHashes()).sort()).toEqual([transfer(1, 0).hash, transfer(2, 0).hash].sort());
    expect(errors).toEqual(['transaction could not be executed, set aside until the next start']);
    await chain.close();
    await open();
    const second = await chain.produce();
    await untilMined(chain);
    await second.stop();
    expect(await minedHashes()).toContain(poison.hash);
  });

  it('spreads more bytes than fit a consensus message over several blocks', async () => {
    const size = 1_500_000;
    await open({
      genesis: testGenesis({ gasLimit: 3_758_096_384n }),
      limits: { transactionBytes: 2 * size },
    });
    const large = [0, 1, 2, 3].flatMap((owner) =>
      [0, 1].map((nonce) => transfer(owner, nonce, { data: new Uint8Array(size), gas: 16_700_000n })),
    );
    for (const transaction of large) await chain.pool.add(transaction);
    const production = await chain.produce();
    await untilMined(chain);
    await production.stop();
    expect((await minedHashes()).sort()).toEqual(large.map(({ hash }) => hash).sort());
    for (let number = 1; number <= chain.ledger.head().header.number; number++) {
      const { transactions = [] } = (await chain.ledger.findBlock(number)) ?? {};
      expect(transactions.length).toBeLessThan(6);
    }
  });

  it('drops and logs transactions that became invalid after they were accepted', async () => {
    const warnings: string[] = [];
    const options = { genesis: testGenesis({ balance: 10n }), logger: recorder('warn', warnings) };
    await open(options);
    // As if the balance had been larger when they came.
    const spending = [4n, 4n, 6n].map((value, nonce) =>
      transfer(0, nonce, { value, to: transfer(1, 0).sender }),
    );
    for (const { hash, raw } of spending) await chain.store.journal.append({ hash, raw, acceptedMs: 0 });
    await chain.close();
    await open(options);
    expect(chain.pool.size).toBe(3);
    const production = await chain.produce();
    await untilMined(chain);
    await production.stop();
    expect(await minedHashes()).toHaveLength(2);
    expect(warnings).toEqual(['transaction dropped from the pool']);
    expect(await chain.store.journal.load()).toEqual([]);
  });

  it('shows the state of the block being built', async () => {
    await open({ genesis: testGenesis({ blockPeriodMs: HOUR_MS }) });
    const production = await chain.produce({ blockPeriodMs: HOUR_MS });
    await until(() => chain.ledger.head().header.number === 1);
    const { sender } = transfer(0, 0);
    for (const nonce of [0, 1, 2]) await chain.pool.add(transfer(0, nonce));
    await until(async () => (await findAccount(await production.pendingWorld(), sender))?.nonce === 3n);
    expect((await findAccount(await chain.ledger.worldAt(chain.ledger.head()), sender))?.nonce).toBe(0n);
    await production.stop();
  });
});

describe('a database that becomes unavailable', () => {
  async function admin(sql: string): Promise<void> {
    const server = await connectDatabase({ url: withDatabaseName(database.url, 'postgres'), poolSize: 1 });
    await server.pool.query(sql);
    await server.close();
  }

  it('pauses production with one log line, and loses nothing', async () => {
    const [errors, infos]: [string[], string[]] = [[], []];
    await open({ logger: { ...recorder('error', errors), info: (message) => infos.push(message) } });
    const name = new URL(database.url).pathname.slice(1);
    const production = await chain.produce();
    const accepted = [transfer(0, 0), transfer(1, 0)];
    for (const transaction of accepted) await chain.pool.add(transaction);
    await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin(`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${name}'`);
    await until(() => production.trouble() !== undefined);
    const head = chain.ledger.head().header.number;
    await expect(chain.pool.add(transfer(2, 0))).rejects.toThrow();
    await pause(700);
    expect(chain.ledger.head().header.number).toBe(head);
    await admin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await until(() => production.trouble() === undefined && chain.ledger.head().header.number > head);
    await untilMined(chain);
    await production.stop();
    // What cannot be stored is a block, or the record of a signature, or first one and then the other.
    expect(errors).toEqual([...new Set(errors)]);
    expect(errors.join()).toMatch(/cannot be stored/);
    const mined = await minedHashes();
    for (const { hash } of accepted) expect(mined.filter((one) => one === hash)).toHaveLength(1);
    expect(await chain.ledger.verifyFromGenesis()).toBe(chain.ledger.head().header.number);
  });

  it('after it stored a block leaves the block in the chain once', async () => {
    let failures = 0;
    await open({
      wrapStore: (store) => ({
        ...store,
        async appendBlock(write) {
          await store.appendBlock(write);
          if (write.block.number !== 2) return;
          failures += 1;
          throw new DatabaseUnavailableError('the connection broke while the commit was answered');
        },
      }),
    });
    const production = await chain.produce();
    await chain.pool.add(transfer(0, 0));
    await until(() => chain.ledger.head().header.number >= 4 && chain.pool.size === 0);
    await production.stop();
    expect(failures).toBe(1);
    expect(await minedHashes()).toEqual([transfer(0, 0).hash]);
    expect(await chain.ledger.verifyFromGenesis()).toBe(chain.ledger.head().header.number);
  });

  it('before it stored a block, and the process with it, leaves the transactions for the next start', async () => {
    await open({
      wrapStore: (store) => ({ ...store, appendBlock: () => Promise.reject(new Error('killed here')) }),
    });
    const production = await chain.produce();
    await chain.pool.add(transfer(0, 0));
    await until(() => production.trouble() !== undefined);
    await production.stop();
    await chain.close();
    await open();
    expect(chain.ledger.head().header.number).toBe(0);
    expect(chain.pool.find(transfer(0, 0).hash)).toBeDefined();
  });

  it('right after a block was stored, and the process with it, does not bring its transactions back', async () => {
    let killed = false;
    const dead = () => Promise.reject(new Error('killed here'));
    await open({
      wrapStore: (store) => ({
        ...store,
        // A process that is gone does not look whether the block was stored, and makes no other.
        findHead: () => (killed ? dead() : store.findHead()),
        async appendBlock(write) {
          if (killed) return dead();
          await store.appendBlock(write);
          killed = true;
          return dead();
        },
      }),
    });
    await chain.pool.add(transfer(0, 0));
    const production = await chain.produce();
    await until(() => production.trouble() !== undefined);
    await production.stop();
    await chain.close();
    await open();
    expect(chain.ledger.head().header.number).toBe(1);
    expect(await minedHashes()).toEqual([transfer(0, 0).hash]);
    expect(chain.pool.size).toBe(0);
  });
});
