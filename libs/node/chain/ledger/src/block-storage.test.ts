import { describe, expect, it } from '@jest/globals';
import { EMPTY_ROOT } from '@tetrad/node-block';
import type { BlockWrite, JoinedRows } from '@tetrad/node-store';
import { ZERO_ADDRESS, ZERO_HASH, type Block, type Hash } from '@tetrad/types';
import type { ExecutedBlock } from './block-execution.js';
import { BlockStorage } from './block-storage.js';

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as Hash;

/** A block without transactions. */
const blockAt = (number: number) =>
  ({
    hash: hashOf(number),
    header: {
      number,
      parentHash: hashOf(number - 1),
      ommersHash: ZERO_HASH,
      beneficiary: ZERO_ADDRESS,
      stateRoot: EMPTY_ROOT,
      transactionsRoot: EMPTY_ROOT,
      receiptsRoot: EMPTY_ROOT,
      logsBloom: new Uint8Array(256),
      difficulty: 1n,
      gasLimit: 1n,
      gasUsed: 0n,
      timestamp: 1n,
      extraData: new Uint8Array(0),
      mixHash: ZERO_HASH,
      nonce: new Uint8Array(8),
    },
    transactions: [],
  }) as unknown as Block;

const EXECUTED = {
  receipts: [],
  changes: {
    parentRoot: EMPTY_ROOT,
    stateRoot: EMPTY_ROOT,
    nodes: [],
    codes: [],
    preimages: [],
    touched: { accounts: new Map(), slots: new Map(), cleared: [] },
  },
} as unknown as ExecutedBlock;

const CHAIN = { totalTransactions: 0, ofConsensus: [] };
const lost = new Error('connection lost');

/** A database that does with each write what the list says, and takes those after it. */
function database(...fates: readonly ('takes' | 'fails' | 'takes and fails')[]) {
  const left = [...fates];
  const rows: BlockWrite[] = [];
  const store = {
    appendBlock: async (write: BlockWrite) => {
      const fate = left.shift() ?? 'takes';
      if (fate !== 'fails') rows.push(write);
      if (fate !== 'takes') throw lost;
    },
    findHead: async () => rows.at(-1)?.block,
  };
  const storage = new BlockStorage(store, { took: () => undefined });
  return { storage, write: (number: number) => storage.write(blockAt(number), EXECUTED, CHAIN), rows };
}

const numbers = (rows: readonly BlockWrite[]) => rows.map(({ block }) => block.number);

describe('storing a block', () => {
  it('is tried again after a failure', async () => {
    const { write, rows } = database('fails', 'fails');
    await expect(write(1)).rejects.toBe(lost);
    await expect(write(1)).rejects.toBe(lost);
    await write(1);
    await write(2);
    expect(numbers(rows)).toEqual([1, 2]);
  });

  it('happens once when the database committed a write that seemed to fail', async () => {
    const { write, rows } = database('takes and fails');
    await expect(write(1)).rejects.toBe(lost);
    await write(1);
    expect(numbers(rows)).toEqual([1]);
  });

  it('is reported while it lasts, also when it fails', async () => {
    const { storage, write } = database('takes', 'fails');
    const first = write(1);
    expect(storage.isWriting()).toBe(true);
    await first;
    expect(storage.isWriting()).toBe(false);
    await expect(write(2)).rejects.toBe(lost);
    expect(storage.isWriting()).toBe(false);
  });

  it('asks every part for its rows, again with each attempt', async () => {
    const { storage, write, rows } = database('fails');
    const part: JoinedRows = { write: async () => undefined };
    const asked: number[] = [];
    storage.join(({ header }) => {
      asked.push(header.number);
      return [part];
    });
    await expect(write(1)).rejects.toBe(lost);
    await write(1);
    expect(asked).toEqual([1, 1]);
    expect(rows[0]?.joined).toContain(part);
  });
});

describe('work that moves the head', () => {
  it('runs one after the other, whatever the outcome of the one before', async () => {
    const { storage } = database();
    const done: string[] = [];
    const first = storage.inTurn(async () => {
      await new Promise((turn) => setImmediate(turn));
      done.push('first');
      throw lost;
    });
    const second = storage.inTurn(async () => done.push('second'));
    await expect(first).rejects.toBe(lost);
    await second;
    expect(done).toEqual(['first', 'second']);
  });
});
