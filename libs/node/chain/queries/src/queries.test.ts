import { describe, expect, it } from '@jest/globals';
import { LogDataError } from '@tetrad/node-store';
import type { AccountState, WorldState } from '@tetrad/node-execution';
import {
  RequestError,
  ZERO_ADDRESS,
  ZERO_HASH,
  type Block,
  type BlockHeader,
  type LogFilter,
  type MinedLog,
} from '@tetrad/types';
import { BlockFinder, CriteriaSpace, FilterRegistry, LogQuery, RecentEntries, matches } from './index.js';

const blockAt = (number: number) => ({ hash: ZERO_HASH, header: { number } }) as Block;
const HEAD = 20;

/** A chain of empty blocks, which records what was searched. */
function chain({
  found = 0,
  fails,
  account,
}: { found?: number; fails?: Error; account?: Partial<AccountState> } = {}) {
  const searched: LogFilter[] = [];
  return {
    searched,
    head: () => blockAt(HEAD),
    findBlock: async (reference: number | string) =>
      typeof reference === 'number' && reference <= HEAD ? blockAt(reference) : undefined,
    findHeader: async (number: number) => (number <= HEAD ? blockAt(number) : undefined),
    listLogs: async (filter: LogFilter) => {
      searched.push(filter);
      if (fails !== undefined) throw fails;
      return new Array<MinedLog>(found);
    },
    worldAt: async () => ({ findAccount: async () => account }) as unknown as WorldState,
    contextOf: (header: BlockHeader) => {
      throw new Error(`the context of block ${header.number} is not expected to be read`);
    },
  };
}

const limits = { logs: 3, logBlocks: 10, answerBytes: 1_000 };
const any = { addresses: [], topics: [] };

describe('a search for logs', () => {
  it.each<[string, object, [number, number] | undefined]>([
    ['the head without a range', {}, [HEAD, HEAD]],
    ['up to the head', { fromBlock: 15, toBlock: 100 }, [15, HEAD]],
    ['from the beginning', { fromBlock: 'earliest', toBlock: 3 }, [0, 3]],
    ['nothing above the head', { fromBlock: 21, toBlock: 30 }, undefined],
  ])('covers %s', async (_case, range, expected) => {
    const ledger = chain();
    await new LogQuery({ ledger, limits, privateState: undefined }).run({ ...any, ...range });
    expect(ledger.searched.map(({ fromBlock, toBlock }) => [fromBlock, toBlock])).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  it.each<[string, ReturnType<typeof chain>, object, string]>([
    ['ends before it begins', chain(), { fromBlock: 3, toBlock: 2 }, 'INVALID_LOG_RANGE'],
    ['spans too many blocks', chain(), { fromBlock: 1, toBlock: 11 }, 'LOG_LIMIT_EXCEEDED'],
    ['finds too many', chain({ found: 4 }), {}, 'LOG_LIMIT_EXCEEDED'],
    ['finds too much data', chain({ fails: new LogDataError('too much') }), {}, 'RESPONSE_TOO_LARGE'],
    ['names no block of the chain', chain(), { blockHash: ZERO_HASH }, 'BLOCK_NOT_FOUND'],
  ])('is refused when it %s', async (_case, ledger, range, reason) => {
    await expect(
      new LogQuery({ ledger, limits, privateState: undefined }).run({ ...any, ...range }),
    ).rejects.toMatchObject({
      code: reason,
    });
  });

  const behind = (head: number) => ({
    isAt: (blockNumber: number) => head >= blockNumber,
    reaches: async (blockNumber: number) => head >= blockNumber,
    rejection: () => new RequestError('PRIVATE_STATE_NOT_AVAILABLE', 'paused'),
    findWorld: async () => undefined,
  });
  const search = (ledger: ReturnType<typeof chain>, head: number, addresses: (typeof ZERO_ADDRESS)[]) =>
    new LogQuery({ ledger, limits, privateState: behind(head) }).run({ ...any, addresses });

  it('includes private logs where private state is known', async () => {
    const ledger = chain();
    await search(ledger, HEAD, []);
    expect(ledger.searched).toMatchObject([{ includePrivate: true }]);
  });

  it('omits them where only public contracts are requested, and is refused elsewhere', async () => {
    const ledger = chain({ account: { codeHash: ZERO_HASH } });
    await search(ledger, HEAD - 1, [ZERO_ADDRESS]);
    expect(ledger.searched).toMatchObject([{ includePrivate: false }]);
    const refused = { code: 'PRIVATE_STATE_NOT_AVAILABLE' };
    await expect(search(ledger, HEAD - 1, [])).rejects.toMatchObject(refused);
    await expect(search(chain(), HEAD - 1, [ZERO_ADDRESS])).rejects.toMatchObject(refused);
    expect(ledger.searched).toHaveLength(1);
  });

  it('matches a log by address and each topic at its position', () => {
    const log = { log: { address: ZERO_ADDRESS, topics: [ZERO_HASH] } } as unknown as MinedLog;
    expect(matches(log, any)).toBe(true);
    expect(matches(log, { addresses: [ZERO_ADDRESS], topics: [undefined] })).toBe(true);
    expect(matches(log, { addresses: [], topics: [undefined, [ZERO_HASH]] })).toBe(false);
    expect(matches(log, { addresses: [], topics: [[]] })).toBe(false);
  });
});

describe('a block reference', () => {
  it.each<[Parameters<BlockFinder['find']>[0], number | undefined]>([
    ['latest', HEAD],
    ['safe', HEAD],
    ['finalized', HEAD],
    ['pending', HEAD],
    ['earliest', 0],
    [7, 7],
    [21, undefined],
    [{ blockHash: ZERO_HASH }, undefined],
  ])('%p is block %p', async (reference, number) => {
    expect((await new BlockFinder(chain()).find(reference))?.header.number).toBe(number);
  });
});

describe('polling filters', () => {
  function registry(criteria = new CriteriaSpace(), limits = { limit: 2, share: 2 }) {
    let now = 0;
    const clock = { now: () => now, schedule: () => () => undefined };
    const filters = new FilterRegistry({ ...limits, expiryMs: 100, clock, criteria });
    return { filters, pass: (ms: number) => (now += ms) };
  }

  it('expire when they are not polled, the most recently polled last', () => {
    const { filters, pass } = registry();
    const [first, second] = [1, 2].map((next) => filters.add({ kind: 'blocks', next }, 'a'));
    expect(() => filters.add({ kind: 'blocks', next: 3 }, 'b')).toThrow('too many filters');
    pass(60);
    filters.get(String(first));
    pass(60);
    expect(() => filters.get(String(second))).toThrow('filter not found');
    expect(filters.get(String(first))).toEqual({ kind: 'blocks', next: 1 });
  });

  it('share a bound on their criteria, and release it', () => {
    const { filters } = registry(new CriteriaSpace(2));
    const criteria = { addresses: [ZERO_ADDRESS, ZERO_ADDRESS], topics: [] };
    const id = filters.add({ kind: 'logs', criteria, nextBlock: 0 }, 'a');
    expect(() => filters.add({ kind: 'logs', criteria, nextBlock: 0 }, 'a')).toThrow('too many filters');
    expect(filters.remove(id)).toBe(true);
    expect(filters.remove(id)).toBe(false);
    expect(filters.add({ kind: 'logs', criteria, nextBlock: 0 }, 'a')).toMatch(/^0x[0-9a-f]{32}$/);
  });

  it('have a share for each caller, which is released on removal and expiry', () => {
    const { filters, pass } = registry(new CriteriaSpace(), { limit: 3, share: 2 });
    const add = (owner: string) => filters.add({ kind: 'blocks', next: 0 }, owner);
    const [first] = [add('a'), add('a')];
    expect(() => add('a')).toThrow('too many filters of one caller');
    add('b');
    expect(filters.remove(first)).toBe(true);
    add('a');
    expect(() => add('c')).toThrow(/^too many filters$/);
    pass(101);
    for (const owner of ['c', 'c', 'a']) add(owner);
    expect(() => add('c')).toThrow('too many filters of one caller');
  });

  it('of one caller hold at most a tenth of the criteria of all', () => {
    const { filters } = registry(new CriteriaSpace(), { limit: 1_000, share: 1_000 });
    const criteria = { addresses: new Array(1_000).fill(ZERO_ADDRESS), topics: [] };
    const add = (owner: string) => filters.add({ kind: 'logs', criteria, nextBlock: 0 }, owner);
    for (let count = 0; count < 100; count++) add('a');
    expect(() => add('a')).toThrow('too many filters of one caller');
    expect(add('b')).toMatch(/^0x/);
  });
});

it('recent entries are returned from a position on, without the oldest', () => {
  const entries = new RecentEntries<number>(3);
  for (let entry = 0; entry < 10; entry++) entries.add(entry);
  expect(entries.end).toBe(10);
  expect(entries.since(8)).toEqual([8, 9]);
  expect(entries.since(0)).toEqual([7, 8, 9]);
  expect(entries.since(10)).toEqual([]);
});
