import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { decodeBlock, encodeBlock } from '@tetrad/node-block';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { decodeTransaction, orderedTrieRoot } from '@tetrad/node-execution';
import { ZERO_HASH, parseHash, type Block, type BlockHeader, type SignedTransaction } from '@tetrad/types';
import { CHAIN_ID, VALIDATOR_KEY, transfer } from './open-test-ledger.js';
import { sealHeader } from './seal-block.js';
import { TestLedgers, blocksOf, grow } from './test-ledgers.js';

const ledgers = new TestLedgers();
beforeEach(() => ledgers.begin());
afterEach(() => ledgers.end());

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
    const producer = await ledgers.open(ledgers.url);
    await grow(producer);
    const [first, second] = (await blocksOf(producer)) as [Block, Block];
    const follower = await ledgers.open(await ledgers.freshUrl());
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
    const producer = await ledgers.open(ledgers.url);
    await grow(producer);
    const blocks = await blocksOf(producer);
    const follower = await ledgers.open(await ledgers.freshUrl());
    const full = blocks.find(({ transactions }) => transactions.length > 1) as Block;
    for (const block of blocks.slice(0, full.header.number - 1)) await follower.ledger.importBlock(block);
    const [only, next] = full.transactions as [SignedTransaction, SignedTransaction];
    for (const transactions of [[], [only], [next, only], [...full.transactions, transfer(3, 9)]]) {
      await expect(follower.ledger.importBlock({ ...full, transactions })).rejects.toThrow(
        'mismatch transactions hashes',
      );
    }
    const transactions = [transfer(3, 99)];
    const transactionsRoot = orderedTrieRoot(transactions.map(({ raw }) => raw));
    const header = resealed(full, { transactionsRoot });
    const invalid = { hash: hashHeader(header), header, transactions };
    await expect(follower.ledger.importBlock(invalid)).rejects.toThrow(
      /^could not apply tx 0 \[0x[0-9a-f]{64}\]: nonce too high/,
    );
    await follower.ledger.importBlock(full);
    expect(follower.ledger.head().hash).toBe(full.hash);
  });

  it('imports blocks in their wire encoding, one after the other in any order of arrival', async () => {
    const producer = await ledgers.open(ledgers.url);
    await grow(producer);
    const blocks = await blocksOf(producer);
    const follower = await ledgers.open(await ledgers.freshUrl());
    const decode = (raw: Uint8Array) => decodeTransaction(raw, BigInt(CHAIN_ID));
    const copies = await Promise.all(
      blocks.map((block) => decodeBlock(encodeBlock(block), { hashHeader, decode })),
    );
    await Promise.all(copies.map((copy) => follower.ledger.importBlock(copy)));
    expect(follower.ledger.head().hash).toBe(producer.ledger.head().hash);
    expect(await follower.ledger.verifyFromGenesis()).toBe(blocks.length);
  });

  it('removes mined transactions from the pool, and others with a mined nonce', async () => {
    const producer = await ledgers.open(ledgers.url);
    await grow(producer);
    const follower = await ledgers.open(await ledgers.freshUrl());
    const [same, other] = [transfer(0, 0), transfer(1, 0, { gas: 30_000n })];
    for (const transaction of [same, other, transfer(2, 50)]) await follower.pool.add(transaction);
    for (const block of await blocksOf(producer)) await follower.ledger.importBlock(block);
    expect([same, other].map(({ hash }) => follower.pool.find(hash))).toEqual([undefined, undefined]);
    expect(follower.pool.status()).toEqual({ pending: 0, queued: 1 });
    while ((await follower.store.journal.load()).length > 1)
      await new Promise((tick) => setTimeout(tick, 10));
  });

  it('refuses a transaction whose nonce a block took while it was being journalled', async () => {
    const producer = await ledgers.open(ledgers.url);
    await grow(producer);
    const follower = await ledgers.open(await ledgers.freshUrl());
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
