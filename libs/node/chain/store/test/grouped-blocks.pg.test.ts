import { beforeEach, describe, expect, it } from '@jest/globals';
import { GroupedBlocks, type BlockWrite, type FlatWrite, type LedgerStore } from '../src/index.js';
import { block, hashOf, node } from './block-write.js';
import { StoreFixture } from './store-fixture.js';

const fixture = StoreFixture.forEachTest();
const IDENTITY = { chainId: 1337n, genesisHash: hashOf(0) };
const KEY = Buffer.alloc(20, 0xaa);
const OTHER = Buffer.alloc(20, 0xbb);

const flat = (number: number, changes: Partial<FlatWrite>): FlatWrite => ({
  parentRoot: hashOf(number - 1, 1),
  stateRoot: hashOf(number, 1),
  cleared: [],
  removed: [],
  put: [],
  ...changes,
});
const put = (key: Uint8Array, byte: number) => ({ key, value: Uint8Array.of(byte) });

const BLOCKS: readonly BlockWrite[] = [
  block(1, { flat: flat(1, { put: [put(KEY, 1), put(OTHER, 1)] }) }),
  block(2, { flat: flat(2, { put: [put(KEY, 2)] }) }),
  block(3, { flat: flat(3, { cleared: [OTHER] }) }),
  block(4, { flat: flat(4, { put: [put(KEY, 4)] }) }),
];

/** A database that stores a group when the test wants it to. */
function held(store: LedgerStore) {
  const waiting: (() => void)[] = [];
  const sizes: number[] = [];
  const base: LedgerStore = {
    ...store,
    async appendBlocks(writes) {
      sizes.push(writes.length);
      await new Promise<void>((go) => waiting.push(go));
      await store.appendBlocks(writes);
    },
  };
  return { base, sizes, release: () => waiting.splice(0).forEach((go) => go()) };
}

beforeEach(async () => {
  const first = block(0, { flat: flat(0, { parentRoot: hashOf(0, 1), put: [put(KEY, 0)] }) });
  await fixture.store.initialise(IDENTITY, first);
});

const storedHead = async () => (await fixture.store.findHead())?.number;

describe('blocks that are stored in groups', () => {
  it('are read from memory until they are stored, as if they were', async () => {
    const { base, sizes, release } = held(fixture.store);
    const groups = new GroupedBlocks(base, { blocks: 2, bytes: 1_000_000 });
    const store = groups.over(base);
    const values: unknown[] = [];
    for (const write of BLOCKS.slice(0, 3)) {
      await store.appendBlock(write);
      const { stateRoot, number } = write.block;
      const found = await Promise.all([KEY, OTHER].map((key) => store.flatState.find(stateRoot, key)));
      values.push(found.map((value) => value?.[0] ?? null));
      expect((await store.findHead())?.number).toBe(number);
      expect((await store.findBlockByNumber(number))?.hash).toBe(write.block.hash);
      expect(await store.listTransactions(number)).toHaveLength(1);
      expect(await store.findNode(node(number).hash)).toEqual(node(number).bytes);
    }
    expect(values).toEqual([
      [1, 1],
      [2, 1],
      [2, null],
    ]);
    expect(sizes).toEqual([2]);
    expect(await storedHead()).toBe(0);
    const flushed = groups.flush();
    release();
    while (sizes.length < 2) await new Promise((turn) => setImmediate(turn));
    release();
    await flushed;
    expect(sizes).toEqual([2, 1]);
    expect(await storedHead()).toBe(3);
    expect(await store.flatState.find(hashOf(3, 1), KEY)).toEqual(Buffer.of(2));
    expect(await store.flatState.find(hashOf(3, 1), OTHER)).toBeNull();
  });

  it('leave the same rows as when each is stored alone', async () => {
    const groups = new GroupedBlocks(fixture.store, { blocks: 3, bytes: 1_000_000 });
    for (const write of BLOCKS) await groups.over(fixture.store).appendBlock(write);
    await groups.flush();
    const { rows } = await fixture.database.pool.query(
      'SELECT encode(key, $1) AS key, encode(value, $1) AS value FROM flat_state ORDER BY key',
      ['hex'],
    );
    expect(rows).toEqual([{ key: KEY.toString('hex'), value: '04' }]);
    expect(await fixture.store.listBlocks(0, 9)).toHaveLength(5);
    expect(await fixture.store.flatState.findRoot()).toBe(hashOf(4, 1));
  });

  it('are stored when their bytes are many, and before a search of several tables', async () => {
    const groups = new GroupedBlocks(fixture.store, { blocks: 1_000, bytes: 1 });
    const store = groups.over(fixture.store);
    await store.appendBlock(BLOCKS[0] as BlockWrite);
    await store.appendBlock(BLOCKS[1] as BlockWrite);
    expect(await store.listBlocks(0, 9)).toHaveLength(3);
    expect(await storedHead()).toBe(2);
  });

  it('fail for good once a group could not be stored, and nothing after it is', async () => {
    const broken = new Error('connection lost');
    const base: LedgerStore = { ...fixture.store, appendBlocks: () => Promise.reject(broken) };
    const groups = new GroupedBlocks(base, { blocks: 1, bytes: 1_000_000 });
    const store = groups.over(base);
    await store.appendBlock(BLOCKS[0] as BlockWrite);
    await expect(groups.flush()).rejects.toBe(broken);
    await expect(store.appendBlock(BLOCKS[1] as BlockWrite)).rejects.toBe(broken);
    await expect(groups.flush()).rejects.toBe(broken);
    expect(await storedHead()).toBe(0);
  });

  it('are one transaction: a group with a block that cannot be stored leaves nothing', async () => {
    const groups = new GroupedBlocks(fixture.store, { blocks: 10, bytes: 1_000_000 });
    const store = groups.over(fixture.store);
    await store.appendBlock(BLOCKS[0] as BlockWrite);
    const [twice] = (BLOCKS[1] as BlockWrite).logs;
    await store.appendBlock({ ...(BLOCKS[1] as BlockWrite), logs: [twice, twice] as BlockWrite['logs'] });
    await expect(groups.flush()).rejects.toThrow('duplicate key');
    expect(await storedHead()).toBe(0);
  });
});
