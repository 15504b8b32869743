import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WrongGenesisError } from '@tetrad/node-ledger';
import { LedgerStoreError } from '@tetrad/node-store';
import { ZERO_HASH, type Block, type MinedReceipt } from '@tetrad/types';
import { openTestLedger, testGenesis, transfer, untilMined, type TestLedger } from './open-test-ledger.js';
import { TestLedgers, blocksOf, grow } from './test-ledgers.js';

const ledgers = new TestLedgers();
beforeEach(() => ledgers.begin());
afterEach(() => ledgers.end());

describe.each(['qbft', 'ibft'] as const)('a chain of the %s format', (engine) => {
  const genesis = testGenesis({ engine });

  it('grows, resumes after a restart, and is reproduced by re-execution', async () => {
    const first = await ledgers.open(ledgers.url, { genesis });
    await grow(first);
    const head = first.ledger.head();
    await ledgers.close(first);
    const second = await ledgers.open(ledgers.url, { genesis });
    expect(second.ledger.head().hash).toBe(head.hash);
    expect(await second.ledger.verifyFromGenesis()).toBe(head.header.number);
    await grow(second, 0);
    expect(second.ledger.head().header.number).toBeGreaterThanOrEqual(head.header.number);
  });

  it('is imported block by block by a ledger that did not produce it', async () => {
    const producer = await ledgers.open(ledgers.url, { genesis });
    await grow(producer);
    const follower = await ledgers.open(await ledgers.freshUrl(), { genesis });
    for (const block of await blocksOf(producer)) await follower.ledger.importBlock(block);
    expect(follower.ledger.head().hash).toBe(producer.ledger.head().hash);
    const hash = (await blocksOf(producer)).flatMap(({ transactions }) => transactions)[0]?.hash;
    const [ours, theirs] = await Promise.all(
      [producer, follower].map(({ ledger }) => ledger.findReceipt(hash ?? ZERO_HASH)),
    );
    expect(theirs?.position).toEqual(ours?.position);
  });
});

describe('a part of the node that stores rows with every block', () => {
  it("has them in the block's transaction: a part that fails keeps the block out", async () => {
    const source = await ledgers.open(ledgers.url);
    await grow(source);
    const blocks = await blocksOf(source);
    const copy = await ledgers.open(await ledgers.freshUrl());
    const joined: number[] = [];
    let isBroken = true;
    copy.ledger.joinBlocks(({ header, transactions }, { receipts }) => [
      {
        async write(client, blockNumber) {
          if (isBroken) throw new Error('the part fails');
          expect([blockNumber, receipts.length]).toEqual([header.number, transactions.length]);
          joined.push(blockNumber);
          await client.query('SELECT 1 FROM block WHERE number = $1', [blockNumber]);
        },
      },
    ]);
    await expect(copy.ledger.importBlock(blocks[0] as Block)).rejects.toThrow('the part fails');
    expect(copy.ledger.head().header.number).toBe(0);
    isBroken = false;
    for (const block of blocks) await copy.ledger.importBlock(block);
    expect(joined).toEqual(blocks.map(({ header }) => header.number));
  });
});

describe('reading the chain', () => {
  it('finds receipts, transactions and logs of old blocks as when they were new', async () => {
    const chain = await ledgers.open(ledgers.url);
    await grow(chain);
    const mined = (await blocksOf(chain)).flatMap(({ transactions }) => transactions);
    const read = async ({ ledger }: TestLedger) =>
      Promise.all(
        mined.map(async ({ hash }) => [await ledger.findReceipt(hash), await ledger.findTransaction(hash)]),
      );
    const fresh = await read(chain);
    expect(fresh.flat().every((found) => found !== undefined)).toBe(true);
    await ledgers.close(chain);
    const again = await ledgers.open(ledgers.url);
    for (const [index, [receipt, transaction]] of (await read(again)).entries()) {
      const [was] = fresh[index] as [MinedReceipt];
      expect(receipt?.position).toEqual(was.position);
      expect(transaction?.position).toEqual(was.position);
      expect((receipt as MinedReceipt).receipt).toMatchObject({
        status: was.receipt.status,
        gasUsed: was.receipt.gasUsed,
        type: was.receipt.type,
        cumulativeGasUsed: was.receipt.cumulativeGasUsed,
      });
    }
    const [block] = (await blocksOf(again)).filter(({ transactions }) => transactions.length > 0) as [Block];
    const listed = await again.ledger.listReceipts(block);
    expect(listed.map(({ position }) => position.transactionIndex)).toEqual(listed.map((_, index) => index));
    expect(await again.ledger.findReceipt(ZERO_HASH)).toBeUndefined();
    expect(await again.ledger.findBlock(ZERO_HASH)).toBeUndefined();
  });

  it('continues when a listener fails', async () => {
    const chain = await ledgers.open(ledgers.url);
    chain.ledger.onBlock(() => {
      throw new Error('a fault of the listener');
    });
    const heard: number[] = [];
    chain.ledger.onBlock(({ header }) => heard.push(header.number));
    await grow(chain);
    expect(heard).toEqual(heard.map((_, index) => index + 1));
    expect(chain.pool.size).toBe(0);
  });
});

describe('a database', () => {
  it('of another chain is refused with both hashes', async () => {
    await ledgers.close(await ledgers.open(ledgers.url));
    const other = openTestLedger(ledgers.url, { genesis: testGenesis({ balance: 5n }) });
    await expect(other).rejects.toThrow(WrongGenesisError);
    await expect(openTestLedger(ledgers.url, { genesis: testGenesis({ balance: 5n }) })).rejects.toThrow(
      /0x[0-9a-f]{64}.*0x[0-9a-f]{64}/,
    );
  });

  it('serves one node at a time', async () => {
    await ledgers.open(ledgers.url);
    await expect(openTestLedger(ledgers.url)).rejects.toThrow(LedgerStoreError);
  });

  it('that was changed by hand does not verify', async () => {
    const chain = await ledgers.open(ledgers.url);
    await grow(chain);
    await chain.database.pool.query('UPDATE trie_node SET encoded = $1', [Buffer.from('c0', 'hex')]);
    await ledgers.close(chain);
    const again = await ledgers.open(ledgers.url);
    await expect(again.ledger.verifyFromGenesis()).rejects.toThrow(/trie_node [0-9a-f]{64} is damaged/);
  });

  it('in which a transaction was changed does not verify', async () => {
    const chain = await ledgers.open(ledgers.url);
    await grow(chain);
    const other = Buffer.from(transfer(0, 0, { gas: 30_000n }).raw);
    const first = 'SELECT block_number FROM transaction WHERE index = 0 ORDER BY block_number LIMIT 1';
    await chain.database.pool.query(
      `UPDATE transaction SET raw = $1 WHERE index = 0 AND block_number = (${first})`,
      [other],
    );
    await expect(chain.ledger.verifyFromGenesis()).rejects.toThrow('mismatch transactions hashes');
  });

  it('that becomes unavailable during production is waited for; nothing is lost or executed twice', async () => {
    const chain = await ledgers.open(ledgers.url);
    const production = await chain.produce();
    const hashes = new Set<string>();
    for (let nonce = 0; nonce < 40; nonce++) {
      if (nonce % 10 === 5) {
        await chain.database.pool
          .query(
            'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
          )
          .catch(() => undefined);
      }
      // A send that fails was not acknowledged; its nonce is sent again.
      for (let done = false; !done;) {
        const transaction = transfer(0, nonce);
        done = await chain.pool.add(transaction).then(
          (hash) => hashes.add(hash) !== undefined,
          ({ code }: { code?: string }) => code === 'NONCE_TOO_LOW' || code === 'ALREADY_KNOWN',
        );
      }
    }
    await untilMined(chain, 3);
    await production.stop();
    const mined = (await blocksOf(chain)).flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
    expect(new Set(mined).size).toBe(mined.length);
    for (const hash of hashes) expect(mined).toContain(hash);
    expect(await chain.ledger.verifyFromGenesis()).toBe(chain.ledger.head().header.number);
  });
});
