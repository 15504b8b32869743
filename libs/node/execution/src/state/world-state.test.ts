import { Account, Address as EvmAddress } from '@ethereumjs/util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { hashFromBytes, hexFromBytes, parseHash, type Hash } from '@tetrad/types';
import { MemoryState } from '../testing/memory-state.js';
import { DEFAULT_STATE_CACHE_LIMITS, UnknownStateRootError } from './state-database.js';
import { EMPTY_TRIE_ROOT } from './trie.js';
import type { WorldState } from './world-state.js';

const contract = new EvmAddress(new Uint8Array(20).fill(7));
const slot = new Uint8Array(32).fill(1);
const emptyRoot = hashFromBytes(EMPTY_TRIE_ROOT);

describe('WorldState', () => {
  let memory: MemoryState;
  let world: WorldState;

  beforeEach(async () => {
    memory = new MemoryState();
    world = await memory.database.openWorld(emptyRoot);
  });

  /** Stores a contract with one slot as block 1 and opens the state after it. */
  async function withContract(): Promise<Hash> {
    await world.putAccount(contract, new Account(1n, 5n));
    await world.putCode(contract, Uint8Array.of(0x60, 0x00));
    await world.putStorage(contract, slot, Uint8Array.of(9));
    const root = memory.store(await world.commitBlock());
    world = await memory.database.openWorld(root);
    return root;
  }

  it('does not open a root that is not stored', async () => {
    await expect(memory.database.openWorld(parseHash(`0x${'ab'.repeat(32)}`))).rejects.toThrow(
      UnknownStateRootError,
    );
  });

  it('gives the parent root and nothing to store for a block without changes', async () => {
    const root = await withContract();
    const changes = await world.commitBlock();
    expect(changes).toMatchObject({ parentRoot: root, stateRoot: root, nodes: [], codes: [], preimages: [] });
  });

  it('hides the old storage of a contract that is destroyed and created again in one block', async () => {
    await withContract();
    await world.deleteAccount(contract);
    await world.putAccount(contract, new Account(1n, 0n));
    expect(await world.getStorage(contract, slot)).toHaveLength(0);
    await world.putStorage(contract, new Uint8Array(32).fill(2), Uint8Array.of(3));
    world = await memory.database.openWorld(memory.store(await world.commitBlock()));
    expect(await world.getStorage(contract, slot)).toHaveLength(0);
    expect(hexFromBytes(await world.getStorage(contract, new Uint8Array(32).fill(2)))).toBe('0x03');
  });

  it('brings account, code and storage back when a destruction is reverted', async () => {
    await withContract();
    await world.checkpoint();
    await world.deleteAccount(contract);
    expect(await world.getAccount(contract)).toBeUndefined();
    await world.revert();
    expect((await world.getAccount(contract))?.balance).toBe(5n);
    expect(hexFromBytes(await world.getCode(contract))).toBe('0x6000');
    expect(hexFromBytes(await world.getStorage(contract, slot))).toBe('0x09');
  });

  it('keeps the value from before the transaction for the gas of SSTORE, until it is cleared', async () => {
    await withContract();
    await world.putStorage(contract, slot, Uint8Array.of(1));
    await world.putStorage(contract, slot, Uint8Array.of(2));
    expect(hexFromBytes(await world.originalStorageCache.get(contract, slot))).toBe('0x09');
    world.originalStorageCache.clear();
    expect(hexFromBytes(await world.originalStorageCache.get(contract, slot))).toBe('0x02');
  });

  it('does not hand out the code of a creation that was reverted', async () => {
    await withContract();
    await world.checkpoint();
    await world.putCode(contract, Uint8Array.of(0x5b));
    await world.revert();
    expect((await world.commitBlock()).codes).toEqual([]);
  });

  it('lends accounts out as copies', async () => {
    await withContract();
    const lent = (await world.getAccount(contract)) as Account;
    lent.balance = 99n;
    expect((await world.getAccount(contract))?.balance).toBe(5n);
  });

  it('reads the head from memory after its changes were adopted', async () => {
    await withContract();
    memory.reads = 0;
    await world.getAccount(contract);
    await world.getCode(contract);
    await world.getStorage(contract, slot);
    expect(memory.reads).toBe(0);
  });

  it('stays right when the caches hold next to nothing', async () => {
    memory = new MemoryState({ nodeBytes: 200, codeBytes: 200, accounts: 1, slots: 1 });
    world = await memory.database.openWorld(emptyRoot);
    const others = [10, 11, 12].map((id) => new EvmAddress(new Uint8Array(20).fill(id)));
    for (const other of others)
      await world.putAccount(other, new Account(0n, BigInt(other.bytes[0] as number)));
    await withContract();
    for (const other of others)
      expect((await world.getAccount(other))?.balance).toBe(BigInt(other.bytes[0] as number));
    expect(hexFromBytes(await world.getStorage(contract, slot))).toBe('0x09');
    expect(memory.reads).toBeGreaterThan(0);
  });

  it('copies itself with its changes, and both go on apart', async () => {
    await withContract();
    await world.putStorage(contract, slot, Uint8Array.of(1));
    const copy = world.copy();
    await copy.putStorage(contract, slot, Uint8Array.of(2));
    await copy.putAccount(contract, new Account(8n, 8n));
    expect(hexFromBytes(await world.getStorage(contract, slot))).toBe('0x01');
    expect((await world.getAccount(contract))?.nonce).toBe(1n);
    expect(hexFromBytes(await copy.getStorage(contract, slot))).toBe('0x02');
  });

  it('refuses to revert without a checkpoint', async () => {
    await expect(world.revert()).rejects.toThrow('no checkpoint');
  });

  it('has defaults that bound every cache', () => {
    expect(
      Object.values(DEFAULT_STATE_CACHE_LIMITS).every((limit) => Number.isSafeInteger(limit) && limit > 0),
    ).toBe(true);
  });
});
