import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeBlock, encodeBlock } from '@tetrad/node-block';
import { LedgerStoreError } from '@tetrad/node-store';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import {
  ZERO_HASH,
  parseHash,
  type Block,
  type BlockHeader,
  type MinedReceipt,
  type SignedTransaction,
} from '@tetrad/types';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { decodeTransaction, orderedTrieRoot } from '@tetrad/node-execution';
import { WrongGenesisError } from '@tetrad/node-ledger';
import {
  CHAIN_ID,
  VALIDATOR_KEY,
  openTestLedger,
  testGenesis,
  transfer,
  untilMined,
  type TestLedger,
} from './open-test-ledger.js';
import { sealHeader } from './seal-block.js';

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
  const production = await chain.produce();
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

  it('grows, resumes after a restart, and is reproduced by re-execution', async () => {
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
  /** A header that was changed and sealed again by the validator, so that only what it says is wrong. */
  function resealed(
    { header }: Block,
    change: Partial<BlockHeader>,
    key: Uint8Array = VALIDATOR_KEY,
  ): BlockHeader {
    const validators = [addressFromPrivateKey(VALIDATOR_KEY)];
    const changed = { ...header, ...change };
    return 'extraData' in change
      ? changed
      : sealHeader({ format: 'qbft', header: changed, validators, proposerKey: key, keys: [key] });
  }

  const wrong = parseHash(`0x${'77'.repeat(32)}`);
  const stranger = new Uint8Array(32).fill(9);
  const strangerAddress = addressFromPrivateKey(stranger);
  const changes: [string, (header: BlockHeader) => Partial<BlockHeader>, string, Uint8Array?][] = [
    ['parentHash', () => ({ parentHash: wrong }), 'unknown ancestor'],
    ['ommersHash', () => ({ ommersHash: wrong }), 'non empty uncle hash'],
    ['beneficiary', () => ({ beneficiary: strangerAddress }), 'unauthorized'],
    ['stateRoot', () => ({ stateRoot: wrong }), 'invalid merkle root'],
    ['transactionsRoot', () => ({ transactionsRoot: wrong }), 'mismatch transactions hashes'],
    ['receiptsRoot', () => ({ receiptsRoot: wrong }), 'invalid receipt root hash'],
    ['logsBloom', () => ({ logsBloom: new Uint8Array(256).fill(1) }), 'invalid bloom'],
    ['difficulty', () => ({ difficulty: 2n }), 'invalid difficulty'],
    ['number', ({ number }) => ({ number: number + 1 }), 'unknown ancestor'],
    ['gasLimit', ({ gasLimit }) => ({ gasLimit: gasLimit * 2n }), 'invalid gas limit'],
    ['gasUsed', ({ gasUsed }) => ({ gasUsed: gasUsed + 1n }), 'invalid gas used'],
    ['timestamp', ({ timestamp }) => ({ timestamp: timestamp + 3_600n }), 'block in the future'],
    [
      'timestamp before the parent',
      ({ timestamp }) => ({ timestamp: timestamp - 3_600n }),
      'invalid timestamp',
    ],
    ['extraData', () => ({ extraData: new Uint8Array(40) }), 'invalid extra data format'],
    ['mixHash', () => ({ mixHash: wrong }), 'invalid Istanbul mix digest'],
    ['baseFeePerGas', () => ({ baseFeePerGas: 1n }), 'invalid fork fields'],
    ['withdrawalsRoot', () => ({ withdrawalsRoot: wrong }), 'invalid fork fields'],
    ['blobGasUsed', () => ({ blobGasUsed: 1n }), 'invalid fork fields'],
    ['excessBlobGas', () => ({ excessBlobGas: 1n }), 'invalid fork fields'],
    ['parentBeaconBlockRoot', () => ({ parentBeaconBlockRoot: wrong }), 'invalid fork fields'],
    ['requestsHash', () => ({ requestsHash: wrong }), 'invalid fork fields'],
    ['the seal', () => ({}), 'invalid committed seals', stranger],
  ];

  it('refuses a block whose header was changed and sealed again, whichever field it is', async () => {
    const producer = await openOn(database.url);
    await grow(producer);
    const [first, second] = (await blocksOf(producer)) as [Block, Block];
    const follower = await openOn((await freshDatabase()).url);
    await follower.ledger.importBlock(first);
    for (const [field, change, text, key] of changes) {
      const header = resealed(second, change(second.header), key);
      const imported = follower.ledger.importBlock({ ...second, header, hash: hashHeader(header) });
      await expect(imported.then(() => `accepted with another ${field}`)).rejects.toThrow(text);
    }
    await expect(follower.ledger.importBlock({ ...second, hash: ZERO_HASH })).rejects.toThrow(
      'invalid block hash',
    );
    expect(follower.ledger.head().hash).toBe(first.hash);
    await follower.ledger.importBlock(second);
    // Once more it is the head already.
    await follower.ledger.importBlock(second);
    await expect(follower.ledger.importBlock(first)).rejects.toThrow('unknown ancestor');
  });

  it('refuses another body under the header, and transactions that cannot be in a block', async () => {
    const producer = await openOn(database.url);
    await grow(producer);
    const blocks = await blocksOf(producer);
    const follower = await openOn((await freshDatabase()).url);
    const full = blocks.find(({ transactions }) => transactions.length > 1) as Block;
    for (const block of blocks.slice(0, full.header.number - 1)) await follower.ledger.importBlock(block);
    const [only, next] = full.transactions as [SignedTransaction, SignedTransaction];
    for (const transactions of [[], [only], [next, only], [...full.transactions, transfer(3, 9)]]) {
      await expect(follower.ledger.importBlock({ ...full, transactions })).rejects.toThrow(
        'mismatch transactions hashes',
      );
    }
    const transactions = [transfer(3, 99)];
    const transactionsRoot = await orderedTrieRoot(transactions.map(({ raw }) => raw));
    const header = resealed(full, { transactionsRoot });
    const invalid = { hash: hashHeader(header), header, transactions };
    await expect(follower.ledger.importBlock(invalid)).rejects.toThrow(
      /^could not apply tx 0 \[0x[0-9a-f]{64}\]: nonce too high/,
    );
    await follower.ledger.importBlock(full);
    expect(follower.ledger.head().hash).toBe(full.hash);
  });

  it('imports blocks in their wire encoding, one after the other in any order of arrival', async () => {
    const producer = await openOn(database.url);
    await grow(producer);
    const blocks = await blocksOf(producer);
    const follower = await openOn((await freshDatabase()).url);
    const decode = (raw: Uint8Array) => decodeTransaction(raw, BigInt(CHAIN_ID));
    const copies = await Promise.all(
      blocks.map((block) => decodeBlock(encodeBlock(block), { hashHeader, decode })),
    );
    await Promise.all(copies.map((copy) => follower.ledger.importBlock(copy)));
    expect(follower.ledger.head().hash).toBe(producer.ledger.head().hash);
    expect(await follower.ledger.verifyFromGenesis()).toBe(blocks.length);
  });

  it('removes mined transactions from the pool, and others with a mined nonce', async () => {
    const producer = await openOn(database.url);
    await grow(producer);
    const follower = await openOn((await freshDatabase()).url);
    const [same, other] = [transfer(0, 0), transfer(1, 0, { gas: 30_000n })];
    for (const transaction of [same, other, transfer(2, 50)]) await follower.pool.add(transaction);
    for (const block of await blocksOf(producer)) await follower.ledger.importBlock(block);
    expect([same, other].map(({ hash }) => follower.pool.find(hash))).toEqual([undefined, undefined]);
    expect(follower.pool.status()).toEqual({ pending: 0, queued: 1 });
    while ((await follower.store.journal.load()).length > 1)
      await new Promise((tick) => setTimeout(tick, 10));
  });

  it('refuses a transaction whose nonce a block took while it was being journalled', async () => {
    const producer = await openOn(database.url);
    await grow(producer);
    const follower = await openOn((await freshDatabase()).url);
    const { journal } = follower.store;
    const append = journal.append.bind(journal);
    journal.append = async (row, gone) => {
      await append(row, gone);
      for (const block of await blocksOf(producer)) await follower.ledger.importBlock(block);
    };
    await expect(follower.pool.add(transfer(0, 0, { gas: 30_000n }))).rejects.toMatchObject({
      code: 'NONCE_TOO_LOW',
    });
    expect(follower.pool.size).toBe(0);
    expect(await journal.load()).toEqual([]);
  });
});

describe('a part of the node that stores rows with every block', () => {
  it("has them in the block's transaction: a part that fails keeps the block out", async () => {
    const source = await openOn(database.url);
    await grow(source);
    const blocks = await blocksOf(source);
    const copy = await openOn((await freshDatabase()).url);
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
    const chain = await openOn(database.url);
    await grow(chain);
    const mined = (await blocksOf(chain)).flatMap(({ transactions }) => transactions);
    const read = async ({ ledger }: TestLedger) =>
      Promise.all(
        mined.map(async ({ hash }) => [await ledger.findReceipt(hash), await ledger.findTransaction(hash)]),
      );
    const fresh = await read(chain);
    expect(fresh.flat().every((found) => found !== undefined)).toBe(true);
    await close(chain);
    const again = await openOn(database.url);
    for (const [index, [receipt, transaction]] of (await read(again)).entries()) {
      const [was] = fresh[index] as [MinedReceipt];
      expect(receipt?.position).toEqual(was.position);
      expect(transaction?.position).toEqual(was.position);
      expect((receipt as MinedReceipt).receipt).toMatchObject({
        ...{ status: was.receipt.status, gasUsed: was.receipt.gasUsed, type: was.receipt.type },
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
    const chain = await openOn(database.url);
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
    await expect(again.ledger.verifyFromGenesis()).rejects.toThrow(/trie_node [0-9a-f]{64} is damaged/);
  });

  it('in which a transaction was changed does not verify', async () => {
    const chain = await openOn(database.url);
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
    const chain = await openOn(database.url);
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
