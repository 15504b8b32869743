import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LedgerStoreError } from '@tetrad/node-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_HASH, type Block, type BlockHeader } from '@tetrad/types';
import { WrongGenesisError } from '../src/index.js';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { openTestLedger, testGenesis, transfer, untilMined, type TestLedger } from './open-test-ledger.js';

let database: TestDatabase;
const open: TestLedger[] = [];
const databases: TestDatabase[] = [];

async function openOn(url: string, options: Parameters<typeof openTestLedger>[1] = {}): Promise<TestLedger> {
  const ledger = await openTestLedger(url, options);
  open.push(ledger);
  return ledger;
}

async function close(one: TestLedger): Promise<void> {
  open.splice(open.indexOf(one), 1);
  await one.close();
}

async function freshDatabase(): Promise<TestDatabase> {
  const fresh = await createTestDatabase('node');
  databases.push(fresh);
  return fresh;
}

beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(async () => {
  for (const one of [...open]) await close(one);
  for (const one of databases.splice(0)) await one.drop();
});

/** A chain of a few blocks with transactions in them. */
async function grow(chain: TestLedger, transactions = 12): Promise<void> {
  const production = chain.produce();
  await Promise.all(
    Array.from({ length: transactions }, (_, index) =>
      chain.pool.add(transfer(index % 4, Math.floor(index / 4))),
    ),
  );
  await untilMined(chain, 2);
  await production.stop();
}

async function blocksOf({ ledger }: TestLedger): Promise<Block[]> {
  const numbers = Array.from({ length: ledger.head().header.number }, (_, index) => index + 1);
  return (await Promise.all(numbers.map((number) => ledger.findBlock(number)))) as Block[];
}

describe.each(['qbft', 'ibft'] as const)('a chain of the %s format', (engine) => {
  const genesis = testGenesis({ engine });

  it('grows, resumes where it was, and is what re-execution gives', async () => {
    const first = await openOn(database.url, { genesis });
    await grow(first);
    const head = first.ledger.head();
    await close(first);
    const second = await openOn(database.url, { genesis });
    expect(second.ledger.head().hash).toBe(head.hash);
    expect(await second.ledger.verifyFromGenesis()).toBe(head.header.number);
    await grow(second, 0);
    expect(second.ledger.head().header.number).toBeGreaterThanOrEqual(head.header.number);
  });

  it('is imported block by block by a ledger that did not produce it', async () => {
    const producer = await openOn(database.url, { genesis });
    await grow(producer);
    const follower = await openOn((await freshDatabase()).url, { genesis });
    for (const block of await blocksOf(producer)) await follower.ledger.importBlock(block);
    expect(follower.ledger.head().hash).toBe(producer.ledger.head().hash);
    const hash = (await blocksOf(producer)).flatMap(({ transactions }) => transactions)[0]?.hash;
    const [ours, theirs] = await Promise.all(
      [producer, follower].map(({ ledger }) => ledger.findReceipt(hash ?? ZERO_HASH)),
    );
    expect(theirs?.position).toEqual(ours?.position);
  });
});

describe('import', () => {
  it('refuses a block that was tampered with, whichever field it is', async () => {
    const producer = await openOn(database.url);
    await grow(producer);
    const follower = await openOn((await freshDatabase()).url);
    const [block] = (await blocksOf(producer)) as [Block];
    const changes: Partial<BlockHeader>[] = [
      { parentHash: ZERO_HASH },
      { stateRoot: ZERO_HASH },
      { transactionsRoot: ZERO_HASH },
      { receiptsRoot: ZERO_HASH },
      { gasUsed: block.header.gasUsed + 1n },
      { gasLimit: block.header.gasLimit * 2n },
      { timestamp: block.header.timestamp + 3_600 },
      { number: 2 },
      { difficulty: 2n },
      { baseFeePerGas: 1n },
      { logsBloom: new Uint8Array(256).fill(1) },
    ];
    for (const change of changes) {
      const header = { ...block.header, ...change };
      const tampered = { ...block, header, hash: hashHeader(header) };
      await expect(follower.ledger.importBlock(tampered)).rejects.toThrow();
    }
    await expect(follower.ledger.importBlock({ ...block, hash: ZERO_HASH })).rejects.toThrow(
      'invalid block hash',
    );
    const emptied = (await blocksOf(producer)).find(({ transactions }) => transactions.length > 0) as Block;
    if (emptied.header.number === 1) {
      await expect(follower.ledger.importBlock({ ...emptied, transactions: [] })).rejects.toThrow(
        'mismatch transactions hashes',
      );
    }
    expect(follower.ledger.head().header.number).toBe(0);
    await follower.ledger.importBlock(block);
    await expect(follower.ledger.importBlock(block)).rejects.toThrow('unknown ancestor');
  });
});

describe('a database', () => {
  it('of another chain is refused with both hashes', async () => {
    await close(await openOn(database.url));
    const other = openTestLedger(database.url, { genesis: testGenesis({ balance: 5n }) });
    await expect(other).rejects.toThrow(WrongGenesisError);
    await expect(openTestLedger(database.url, { genesis: testGenesis({ balance: 5n }) })).rejects.toThrow(
      /0x[0-9a-f]{64}.*0x[0-9a-f]{64}/,
    );
  });

  it('serves one node at a time', async () => {
    await openOn(database.url);
    await expect(openTestLedger(database.url)).rejects.toThrow(LedgerStoreError);
  });

  it('that was changed by hand does not verify', async () => {
    const chain = await openOn(database.url);
    await grow(chain);
    await chain.database.pool.query('UPDATE trie_node SET encoded = $1', [Buffer.from('c0', 'hex')]);
    await close(chain);
    const again = await openOn(database.url);
    await expect(again.ledger.verifyFromGenesis()).rejects.toThrow();
  });

  it('that goes away in the middle of blocks is waited for; nothing is lost and nothing happens twice', async () => {
    const chain = await openOn(database.url);
    const production = chain.produce();
    const hashes = new Set<string>();
    let refused = 0;
    for (let nonce = 0; nonce < 40; nonce++) {
      if (nonce % 10 === 5) {
        await chain.database.pool
          .query(
            'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
          )
          .catch(() => undefined);
      }
      // A send that fails was not acknowledged; its nonce is sent again.
      for (let done = false; !done;) {
        const transaction = transfer(0, nonce);
        done = await chain.pool.add(transaction).then(
          (hash) => hashes.add(hash) !== undefined,
          (error: { reason?: string }) => {
            refused += 1;
            return error.reason === 'NONCE_TOO_LOW' || error.reason === 'ALREADY_KNOWN';
          },
        );
      }
    }
    await untilMined(chain, 3);
    await production.stop();
    expect(refused).toBeLessThan(40);
    const mined = (await blocksOf(chain)).flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
    expect(new Set(mined).size).toBe(mined.length);
    for (const hash of hashes) expect(mined).toContain(hash);
    expect(await chain.ledger.verifyFromGenesis()).toBe(chain.ledger.head().header.number);
  }, 60_000);
});
