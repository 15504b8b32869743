import { describe, expect, it } from '@jest/globals';
import { block, hashOf } from './block-write.js';
import { StoreFixture } from './store-fixture.js';

const open = StoreFixture.forEachTest();

const IDENTITY = { chainId: 1337n, genesisHash: hashOf(0) };
const ROW = { key: Buffer.of(1), value: Buffer.of(2) };
const GENESIS = block(0, {
  transactions: [],
  logs: [],
  flat: { parentRoot: hashOf(9), stateRoot: hashOf(0, 1), cleared: [], removed: [], put: [ROW] },
});

describe('a new chain', () => {
  it('is stored whole, or nothing of it', async () => {
    const { store } = open;
    const broken = { write: () => Promise.reject(new Error('a part fails')) };
    await expect(store.initialise(IDENTITY, { ...GENESIS, joined: [broken] })).rejects.toThrow(
      'a part fails',
    );
    expect(await store.findIdentity()).toBeUndefined();
    expect(await store.findHead()).toBeUndefined();
    expect(await store.flatState.findRoot()).toBeUndefined();
    await store.initialise(IDENTITY, GENESIS);
    expect(await store.findIdentity()).toEqual(IDENTITY);
    expect((await store.findHead())?.hash).toBe(hashOf(0));
    expect(await store.flatState.find(hashOf(0, 1), ROW.key)).toEqual(ROW.value);
  });

  it('takes the place of no other', async () => {
    await open.store.initialise(IDENTITY, GENESIS);
    await expect(open.store.initialise(IDENTITY, GENESIS)).rejects.toThrow(/duplicate key/);
  });

  it('has its flat state made again from the tries, with none of the rows before', async () => {
    const { flatState } = open.store;
    await open.store.initialise(IDENTITY, GENESIS);
    const others = [{ key: Buffer.of(3), value: Buffer.of(4) }];
    await flatState.rebuild(
      hashOf(5),
      (async function* () {
        yield* others;
      })(),
    );
    expect(await flatState.findRoot()).toBe(hashOf(5));
    expect(await flatState.find(hashOf(5), Buffer.of(3))).toEqual(Buffer.of(4));
    expect(await flatState.find(hashOf(5), ROW.key)).toBeNull();
    expect(await flatState.find(hashOf(0, 1), ROW.key)).toBeUndefined();
  });
});
