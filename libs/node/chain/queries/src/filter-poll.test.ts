import { describe, expect, it } from '@jest/globals';
import type { LogCriteria } from '@tetrad/api-node';
import { RequestError, ZERO_HASH, type Block, type Hash, type LogFilter, type MinedLog } from '@tetrad/types';
import { CriteriaSpace } from './criteria-space.js';
import { FilterPoll } from './filter-poll.js';

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as Hash;
const any: LogCriteria = { addresses: [], topics: [] } as unknown as LogCriteria;

/** A chain that the test extends, and the searches for logs in it. */
function chain(head = 10) {
  const blocks: ((block: Block) => void)[] = [];
  const transactions: ((transaction: { readonly hash: Hash }) => void)[] = [];
  const searched: [number, number][] = [];
  const state = { head, fails: undefined as Error | undefined };
  const blockAt = (number: number) => ({ hash: hashOf(number), header: { number } }) as Block;
  const search = async ({ fromBlock, toBlock }: LogFilter) => {
    searched.push([fromBlock, toBlock]);
    if (state.fails !== undefined) throw state.fails;
    return [{ blockNumber: toBlock } as MinedLog];
  };
  const poll = new FilterPoll({
    ledger: { head: () => blockAt(state.head), onBlock: (listener) => blocks.push(listener) },
    pool: { onTransaction: (listener) => transactions.push(listener) },
    limits: { filters: 10, filtersPerCaller: 10, filterExpiryMs: 1_000 },
    clock: { now: () => 0, schedule: () => () => undefined },
    criteria: new CriteriaSpace(),
    query: { search, run: async () => [{ blockNumber: 1 } as MinedLog] },
  });
  const mine = (count: number) => {
    for (let left = count; left > 0; left--) {
      state.head++;
      for (const listener of blocks) listener(blockAt(state.head));
    }
  };
  return {
    poll,
    mine,
    searched,
    state,
    submit: (hash: Hash) => transactions.forEach((one) => one({ hash })),
  };
}

describe('a filter of blocks', () => {
  it('reports each new block once', async () => {
    const { poll, mine } = chain(10);
    mine(1);
    const id = poll.addBlocks('a');
    mine(2);
    expect(await poll.changes(id)).toEqual({ kind: 'hashes', hashes: [hashOf(12), hashOf(13)] });
    expect(await poll.changes(id)).toEqual({ kind: 'hashes', hashes: [] });
  });
});

describe('a filter of transactions', () => {
  it('reports transactions that came after it', async () => {
    const { poll, submit } = chain();
    submit(hashOf(1));
    const id = poll.addTransactions('a');
    submit(hashOf(2));
    expect(await poll.changes(id)).toEqual({ kind: 'hashes', hashes: [hashOf(2)] });
  });

  it('has no logs', async () => {
    const { poll } = chain();
    await expect(poll.logs(poll.addTransactions('a'))).rejects.toMatchObject({ code: 'FILTER_NOT_FOUND' });
  });
});

describe('a filter of logs', () => {
  it('searches the blocks since the last poll', async () => {
    const { poll, mine, searched } = chain(10);
    const id = poll.addLogs(any, 'a');
    expect(await poll.changes(id)).toEqual({ kind: 'logs', logs: [] });
    mine(3);
    expect(await poll.changes(id)).toEqual({ kind: 'logs', logs: [{ blockNumber: 13 }] });
    mine(1);
    await poll.changes(id);
    expect(searched).toEqual([
      [11, 13],
      [14, 14],
    ]);
  });

  it('stays within its own range', async () => {
    const { poll, mine, searched } = chain(10);
    const id = poll.addLogs({ ...any, fromBlock: 12, toBlock: 13 }, 'a');
    mine(1);
    await poll.changes(id);
    mine(4);
    await poll.changes(id);
    expect(searched).toEqual([[12, 13]]);
  });

  it('reports a block to one of two concurrent polls', async () => {
    const { poll, mine, searched } = chain(10);
    const id = poll.addLogs(any, 'a');
    mine(2);
    await Promise.all([poll.changes(id), poll.changes(id)]);
    expect(searched).toEqual([[11, 12]]);
  });

  it('reports blocks again when their poll was refused', async () => {
    const { poll, mine, searched, state } = chain(10);
    const id = poll.addLogs(any, 'a');
    mine(2);
    state.fails = new RequestError('LOG_LIMIT_EXCEEDED', 'too many');
    await expect(poll.changes(id)).rejects.toThrow('too many');
    state.fails = undefined;
    mine(1);
    await poll.changes(id);
    expect(searched).toEqual([
      [11, 12],
      [11, 13],
    ]);
  });

  it('is refused when its range does not ascend, and is gone once it is removed', async () => {
    const { poll } = chain();
    expect(() => poll.addLogs({ ...any, fromBlock: 3, toBlock: 2 }, 'a')).toThrow(
      'invalid block range params',
    );
    const id = poll.addLogs({ ...any, blockHash: ZERO_HASH }, 'a');
    expect(await poll.logs(id)).toEqual([{ blockNumber: 1 }]);
    expect(poll.remove(id)).toBe(true);
    await expect(poll.changes(id)).rejects.toMatchObject({ code: 'FILTER_NOT_FOUND' });
  });
});
