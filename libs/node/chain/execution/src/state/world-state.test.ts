import { beforeEach, describe, expect, it } from '@jest/globals';
import { wordFromAddress, wordFromBytes } from '@tetrad/node-evm';
import {
  addressFromBytes,
  hexFromBytes,
  parseHash,
  silentMetrics,
  type Address,
  type Hash,
} from '@tetrad/types';
import { WorldEditor } from '../testing/edit-world.js';
import { MemoryState } from '../testing/memory-state.js';
import { DEFAULT_STATE_CACHE_LIMITS, StateDatabase, UnknownStateRootError } from './state-database.js';
import { EMPTY_STORAGE_ROOT } from './stored-account.js';
import type { WorldState } from './world-state.js';

const addressOf = (byte: number): Address => addressFromBytes(new Uint8Array(20).fill(byte));
const contract = addressOf(7);
const slot = new Uint8Array(32).fill(1);
const otherSlot = new Uint8Array(32).fill(2);

describe('WorldState', () => {
  let memory: MemoryState;
  let world: WorldState;
  let editor: WorldEditor;

  async function open(root: Hash): Promise<void> {
    world = await memory.database.openWorld(root);
    editor = new WorldEditor(world);
  }

  beforeEach(async () => {
    memory = new MemoryState();
    await open(EMPTY_STORAGE_ROOT);
  });

  const slotOf = async (state: WorldState, key: Uint8Array) =>
    Number(hexFromBytes(await state.readSlot(contract, key)));

  /** Stores what was changed as a block and opens the state after it. */
  async function endBlock(): Promise<Hash> {
    editor.end();
    const root = memory.store(await world.commitBlock());
    await open(root);
    return root;
  }

  /** Stores a contract with one slot as block 1 and opens the state after it. */
  async function withContract(): Promise<Hash> {
    await editor.putAccount(contract, 1n, 5n);
    await editor.putCode(contract, Uint8Array.of(0x60, 0x00));
    await editor.putSlot(contract, slot, Uint8Array.of(9));
    return endBlock();
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
    await editor.remove(contract);
    await editor.putAccount(contract, 1n, 0n);
    expect(await slotOf(world, slot)).toBe(0);
    await editor.putSlot(contract, otherSlot, Uint8Array.of(3));
    await endBlock();
    expect(await slotOf(world, slot)).toBe(0);
    expect(await slotOf(world, otherSlot)).toBe(3);
  });

  it('does not keep the code of a creation that was reverted', async () => {
    await withContract();
    const { journal } = world.evm;
    const before = journal.checkpoint();
    await editor.putCode(contract, Uint8Array.of(0x5b));
    journal.revert(before);
    expect((await world.commitBlock()).codes).toEqual([]);
    expect(hexFromBytes(await world.readCode(contract))).toBe('0x6000');
  });

  it('reads the head from memory after its changes were adopted', async () => {
    await withContract();
    memory.reads = 0;
    await world.findAccount(contract);
    await world.readCode(contract);
    await world.readSlot(contract, slot);
    expect(memory.reads).toBe(0);
  });

  it('reports missing entries to executions, and answers synchronously after they were fetched', async () => {
    const root = await withContract();
    const cold = await memory.reopened().openWorld(root);
    const { evm } = cold;
    expect(evm.account(wordFromAddress(contract))).toBeUndefined();
    await evm.journal.fetch();
    const account = evm.account(wordFromAddress(contract));
    if (account === undefined) throw new Error('the account is still missing');
    expect(account.balance).toBe(5);
    expect(evm.slot(account, wordFromBytes(slot))).toBeUndefined();
    expect(evm.code(account)).toBeUndefined();
    await evm.journal.fetch();
    expect(evm.slot(account, wordFromBytes(slot))?.value).toBe(9);
    expect(evm.code(account)?.size).toBe(2);
    expect(evm.journal.hasMissing).toBe(false);
  });

  it('does not keep reads of other callers for executions', async () => {
    const root = await withContract();
    const cold = await memory.reopened().openWorld(root);
    expect((await cold.findAccount(contract))?.balance).toBe(5n);
    expect(await slotOf(cold, slot)).toBe(9);
    expect(cold.evm.known(wordFromAddress(contract))).toBeUndefined();
  });

  it('stays correct when the caches hold next to nothing', async () => {
    memory = new MemoryState({ nodeBytes: 500, codeBytes: 500, accounts: 1, slots: 1 });
    await open(EMPTY_STORAGE_ROOT);
    for (const id of [10, 11, 12]) await editor.putAccount(addressOf(id), 0n, BigInt(id));
    await withContract();
    for (const id of [10, 11, 12]) expect((await world.findAccount(addressOf(id)))?.balance).toBe(BigInt(id));
    expect(await slotOf(world, slot)).toBe(9);
    expect(memory.reads).toBeGreaterThan(0);
  });

  it('copies itself with its changes, independent of the copy', async () => {
    await withContract();
    await editor.putSlot(contract, slot, Uint8Array.of(1));
    const copy = new WorldEditor(world.copy());
    await copy.putSlot(contract, slot, Uint8Array.of(2));
    await copy.putAccount(contract, 8n, 8n);
    expect(await slotOf(world, slot)).toBe(1);
    expect((await world.findAccount(contract))?.nonce).toBe(1n);
    expect(await slotOf(copy.world, slot)).toBe(2);
  });

  it('shares nodes with a second state, and keeps its flat caches when that moves on', async () => {
    const root = await withContract();
    const { nodes } = memory.database;
    const second = new StateDatabase({ source: memory, metrics: silentMetrics, nodes, name: 'second ' });
    const other = new WorldEditor(await second.openWorld(root));
    await other.putSlot(contract, slot, Uint8Array.of(4));
    other.end();
    const moved = await other.world.commitBlock();
    second.adopt(moved);

    memory.reads = 0;
    expect(await slotOf(await memory.database.openWorld(root), slot)).toBe(9);
    expect(await slotOf(await second.openWorld(moved.stateRoot), slot)).toBe(4);
    // Nodes of the second state are found by their hash through the first one.
    expect(await slotOf(await memory.database.openWorld(moved.stateRoot), slot)).toBe(4);
    expect(memory.reads).toBe(0);
  });

  it('has defaults that bound every cache', () => {
    expect(
      Object.values(DEFAULT_STATE_CACHE_LIMITS).every((limit) => Number.isSafeInteger(limit) && limit > 0),
    ).toBe(true);
  });
});
