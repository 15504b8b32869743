import { describe, expect, it } from '@jest/globals';
import type { Block, Hash, MinedLog, MinedReceipt, Receipt } from '@tetrad/types';
import { BlockNotifier, receiptFilter, type NotifiedBlock } from './block-notifier.js';

const PUBLIC_V = 27n;
const PRIVATE_V = 37n;

/** A block with one public and one private transaction, of which the notifier reads no more than this. */
function blockAt(number: number): Block {
  const transactions = [PUBLIC_V, PRIVATE_V].map((v) => ({ type: 'legacy', v, hash: `${number}-${v}` }));
  return { hash: `block-${number}`, header: { number, timestamp: 0n }, transactions } as unknown as Block;
}

const RECEIPTS = [{ logs: [] }, { logs: [] }] as unknown as readonly Receipt[];

/** A node whose private state the test moves; `isSlow`: private state does not come in the time that readers wait. */
function node({ isSlow = false } = {}) {
  const blocks = new Map<number, Block>();
  const state = { followed: 0, waits: 0 };
  let onBlock: (block: Block, receipts: readonly Receipt[]) => void = () => undefined;
  let onFollowed: (blockNumber: number) => void = () => undefined;
  const receipts = (block: Block) =>
    block.transactions.map((transaction) => ({ transaction, isOwn: true }) as unknown as MinedReceipt);
  const notifier = new BlockNotifier({
    ledger: {
      head: () => blockAt(0),
      findBlock: (number) => Promise.resolve(blocks.get(Number(number))),
      onBlock: (listener) => (onBlock = listener),
    },
    receipts: {
      hasPrivateWork: () => true,
      list: (block) => Promise.resolve(receipts(block)),
      listLogs: (block) => Promise.resolve([{ blockHash: block.hash } as MinedLog]),
      withMark: (mined) => mined,
    },
    privateState: {
      isAt: (number) => state.followed >= number,
      reaches: (number) => {
        state.waits++;
        if (!isSlow) state.followed = number;
        return Promise.resolve(!isSlow);
      },
    },
    follower: { onFollowed: (listener) => (onFollowed = listener) },
    logger: { error: () => undefined },
  });
  const add = (number: number) => {
    blocks.set(number, blockAt(number));
    onBlock(blockAt(number), RECEIPTS);
  };
  const follow = (number: number) => {
    state.followed = number;
    onFollowed(number);
  };
  return { notifier, state, add, follow };
}

/** Notified blocks as `[number, transactions with receipts, private logs]`, once `count` have arrived. */
function hear(notifier: BlockNotifier, count: number): Promise<unknown[]> {
  const heard: unknown[] = [];
  return new Promise((done) => {
    notifier.onBlock(({ block, receipts, logs }: NotifiedBlock) => {
      const vs = receipts.map(({ transaction }) => Number(transaction.v));
      heard.push([block.header.number, vs, logs.length]);
      if (heard.length === count) done(heard);
    });
  });
}

describe('block notifications', () => {
  it('cover public and private transactions at once where private state is in time', async () => {
    const { notifier, add } = node();
    const heard = hear(notifier, 2);
    add(1);
    add(2);
    expect(await heard).toEqual([
      [1, [27, 37], 1],
      [2, [27, 37], 1],
    ]);
  });

  it('cover the public part while private state is paused, and the private part once it catches up', async () => {
    const { notifier, add, follow } = node({ isSlow: true });
    const publicPart = hear(notifier, 2);
    const all = hear(notifier, 4);
    add(1);
    add(2);
    expect(await publicPart).toEqual([
      [1, [27], 0],
      [2, [27], 0],
    ]);
    follow(1);
    follow(2);
    expect((await all).slice(2)).toEqual([
      [1, [37], 1],
      [2, [37], 1],
    ]);
  });

  it('wait for one block of a pause only', async () => {
    const { notifier, add, state } = node({ isSlow: true });
    const heard = hear(notifier, 3);
    for (const number of [1, 2, 3]) add(number);
    await heard;
    expect(state.waits).toBe(1);
  });

  it('skip blocks at or below the head at which listening began', async () => {
    const { notifier, add } = node();
    const heard = hear(notifier, 1);
    add(0);
    add(1);
    expect(await heard).toEqual([[1, [27, 37], 1]]);
  });
});

describe('the receipts that a subscription wants', () => {
  const hashes = ['0x01', '0x02', '0x03'].map((hash) => hash as Hash);
  const notified = {
    receipts: hashes.map((hash) => ({ transaction: { hash } }) as unknown as MinedReceipt),
  };
  const picked = (wanted: readonly Hash[] | null | undefined) =>
    receiptFilter(wanted)(notified).map(({ transaction }) => transaction.hash);

  it('are those of the transactions that it names', () => {
    const [first, , last] = hashes as [Hash, Hash, Hash];
    expect(picked([last, first, '0x09' as string as Hash])).toEqual([first, last]);
  });

  it.each([[undefined], [null], [[]]])('are all when it names none: %j', (wanted) => {
    expect(picked(wanted)).toEqual(hashes);
  });
});
