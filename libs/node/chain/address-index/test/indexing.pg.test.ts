import { describe, expect, it } from '@jest/globals';
import type { AddressIndexStore } from '@tetrad/node-store';
import { seededRandom } from '@tetrad/testkit';
import { silentMetrics, silentLogger, type Address } from '@tetrad/types';
import { StoreFixture } from '../../store/test/store-fixture.js';
import { AddressHistory, AddressIndexing, type AddressIndexingOptions, type Place } from '../src/index.js';
import { transferChain, type TransferChain } from './transfer-chain.js';

const open = StoreFixture.forEachTest();

/** Fills the index up to the head of the chain. */
async function fill(chain: TransferChain, store: AddressIndexStore = open.store.addressIndex) {
  const indexing = await AddressIndexing.start({
    ...(chain as unknown as Pick<AddressIndexingOptions, 'ledger' | 'receipts' | 'privacy'>),
    store,
    privateState: undefined,
    isImporting: () => false,
    isDatabaseUnavailable: () => true,
    logger: silentLogger,
    metrics: silentMetrics,
  });
  return indexing;
}

async function fillAll(chain: TransferChain): Promise<AddressHistory> {
  const indexing = await fill(chain);
  while (!(await indexing.reaches(chain.ledger.head().header.number, 60_000)));
  await indexing.close();
  return new AddressHistory(open.store.addressIndex, () => indexing.head.hashKey);
}

/** All pages, one after the other. */
async function allPages(
  history: AddressHistory,
  address: Address,
  size: number,
  direction: 'before' | 'after',
) {
  const places: Place[] = [];
  let blockNumber = direction === 'before' ? Number.MAX_SAFE_INTEGER / 2 ** 21 : 0;
  for (;;) {
    const page = await history.page(address, { blockNumber: Math.floor(blockNumber), size, direction });
    if (direction === 'before') places.push(...page.places);
    else places.unshift(...page.places);
    if (!page.hasMore) return places;
    const edge = direction === 'before' ? page.places.at(-1) : page.places[0];
    blockNumber = edge?.blockNumber ?? 0;
  }
}

describe('the index of a chain', () => {
  it('has every transaction of every address once, in pages of any size', async () => {
    const chain = transferChain({ blocks: 250, accounts: 3, random: seededRandom(1) });
    const history = await fillAll(chain);
    for (const address of chain.accounts)
      for (const size of [4, 200]) {
        const expected = chain.placesOf(address).toReversed();
        expect(await allPages(history, address, size, 'before')).toEqual(expected);
        expect(await allPages(history, address, size, 'after')).toEqual(expected);
      }
  });

  it('finds what an account sent by its number, and the blocks of several addresses', async () => {
    const chain = transferChain({ blocks: 400, accounts: 4, random: seededRandom(2) });
    const history = await fillAll(chain);
    for (const address of chain.accounts) {
      const sent = chain.sentBy(address);
      for (const number of [0, 1, 127, 128, 129, sent.length - 1])
        expect(await history.findSent(address, number)).toEqual(sent[number]);
      expect(await history.findSent(address, sent.length)).toBeUndefined();
    }
    const [first, second] = chain.accounts as [Address, Address];
    const blocks = [...chain.placesOf(first), ...chain.placesOf(second)].map(
      ({ blockNumber }) => blockNumber,
    );
    const within = [...new Set(blocks)]
      .filter((number) => number >= 50 && number <= 90)
      .sort((a, b) => a - b);
    const range = { from: 50, to: 90, assertGoesOn: () => undefined };
    expect(await history.blocksOf([first, second], { ...range, most: 100 })).toEqual(within);
    expect(await history.blocksOf([first, second], { ...range, most: 3 })).toBeUndefined();
  });

  it('goes on where a process has ended, before or after a batch was stored', async () => {
    const chain = transferChain({ blocks: 900, accounts: 3, random: seededRandom(3) });
    const { addressIndex } = open.store;
    for (const isStored of [false, true]) {
      let writes = 0;
      let failed = () => {};
      const ended = new Promise<void>((done) => (failed = done));
      const failing = new Proxy(addressIndex, {
        get: (target, name) => {
          const value = Reflect.get(target, name) as unknown;
          if (typeof value !== 'function') return value;
          if (name !== 'write') return value.bind(target) as unknown;
          return async (...params: Parameters<AddressIndexStore['write']>) => {
            const isLast = (writes += 1) === 2;
            if (!isLast || isStored) await addressIndex.write(...params);
            if (isLast) {
              failed();
              throw new Error('the process has ended');
            }
          };
        },
      });
      const indexing = await fill(chain, failing);
      await ended;
      await indexing.close();
    }
    const history = await fillAll(chain);
    for (const address of chain.accounts)
      expect(await allPages(history, address, 50, 'before')).toEqual(chain.placesOf(address).toReversed());
  });

  it('goes on without a new block where the next one or the database was away', async () => {
    const chain = transferChain({ blocks: 30, accounts: 3, random: seededRandom(10) });
    const { addressIndex } = open.store;
    let lateFor = 1;
    const blockHorizon = { isHeaderOnly: (number: number) => number === 20 && (lateFor -= 1) >= 0 };
    let isAway = true;
    const write: AddressIndexStore['write'] = async (...params) => {
      if (isAway) throw ((isAway = false), new Error('the database is away'));
      await addressIndex.write(...params);
    };
    const store = new Proxy(addressIndex, {
      get: (target, name) => {
        if (name === 'write') return write;
        const value = Reflect.get(target, name) as unknown;
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const indexing = await fill({ ...chain, ledger: { ...chain.ledger, blockHorizon } }, store);
    while (!(await indexing.reaches(30, 60_000)));
    await indexing.close();
    expect([lateFor < 0, isAway]).toEqual([true, false]);
    const history = new AddressHistory(addressIndex, () => indexing.head.hashKey);
    for (const address of chain.accounts)
      expect(await allPages(history, address, 50, 'before')).toEqual(chain.placesOf(address).toReversed());
  });

  it('is made again when the database has another chain', async () => {
    const old = transferChain({ blocks: 30, accounts: 2, random: seededRandom(4) });
    await fillAll(old);
    const other = transferChain({ blocks: 20, accounts: 2, random: seededRandom(5), salt: 7 });
    const history = await fillAll(other);
    for (const address of other.accounts)
      expect(await allPages(history, address, 5, 'before')).toEqual(other.placesOf(address).toReversed());
  });
});

describe('the list of private transactions', () => {
  it('has each once, in pages of any size', async () => {
    const chain = transferChain({ blocks: 300, accounts: 3, random: seededRandom(7) });
    const history = await fillAll(chain);
    expect(chain.markers.length).toBeGreaterThan(128);
    for (const size of [3, 1_000]) {
      const found: Place[] = [];
      for (let blockNumber = 301, hasMore = true; hasMore;) {
        const page = await history.privatePage({ blockNumber, size });
        found.push(...page.places);
        ({ hasMore } = page);
        blockNumber = page.places.at(-1)?.blockNumber ?? 0;
      }
      expect(found).toEqual(chain.markers.toReversed());
    }
  });
});

describe('an index of a former version', () => {
  const former = async () => {
    const { pool } = open.database;
    await pool.query("INSERT INTO address_entries VALUES (0, 1, 1048576, 0, 1, '\\x0001')");
    await pool.query("INSERT INTO address_index_head VALUES (1, '\\x07', 3, '\\x08', 0, 3)");
  };
  const count = async (table: string) =>
    Number(
      (await open.database.pool.query<{ count: string }>(`SELECT count(*) FROM ${table}`)).rows[0]?.count,
    );

  it('is removed, and made again', async () => {
    await former();
    const chain = transferChain({ blocks: 40, accounts: 2, random: seededRandom(8) });
    const history = await fillAll(chain);
    expect((await history.privatePage({ blockNumber: 41, size: 500 })).places).toEqual(
      chain.markers.toReversed(),
    );
    expect(await count('address_entries')).toBe(0);
    expect(await count('address_index_head')).toBe(1);
  });

  it('that has removed the head of this one has this one made again', async () => {
    await fillAll(transferChain({ blocks: 30, accounts: 2, random: seededRandom(4) }));
    await open.database.pool.query('DELETE FROM address_index_head');
    const other = transferChain({ blocks: 20, accounts: 2, random: seededRandom(5), salt: 7 });
    const history = await fillAll(other);
    for (const address of other.accounts)
      expect(await allPages(history, address, 5, 'before')).toEqual(other.placesOf(address).toReversed());
  });
});

describe('places of an address before another place', () => {
  it('are its transactions, whatever blocks they are in', async () => {
    const chain = transferChain({ blocks: 4, accounts: 2, random: seededRandom(9), ofBlock: 700 });
    const history = await fillAll(chain);
    const [address] = chain.accounts as [Address];
    const found: Place[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const places = await history.placesBefore(address, before, 100);
      found.push(...places);
      const last = places.at(-1);
      if (last === undefined) break;
      before = last.blockNumber * 2 ** 20 + last.index;
    }
    expect(found).toEqual(chain.placesOf(address).toReversed());
  });
});

describe('a page of an address with thousands of transactions in one block', () => {
  it('has a thousand of them beyond its size, and the next page the blocks before', async () => {
    const chain = transferChain({ blocks: 3, accounts: 2, random: seededRandom(6), ofBlock: 3_000 });
    const history = await fillAll(chain);
    const [address] = chain.accounts as [Address];
    const first = await history.page(address, { blockNumber: 4, size: 25, direction: 'before' });
    expect(first.places).toHaveLength(1_025);
    expect(first.hasMore).toBe(true);
    expect(new Set(first.places.map(({ blockNumber }) => blockNumber))).toEqual(new Set([3]));
    const next = await history.page(address, { blockNumber: 3, size: 25, direction: 'before' });
    expect(next.places[0]?.blockNumber).toBe(2);
  });
});
