import { beforeEach, describe, expect, it } from '@jest/globals';
import { wordFromAddress } from '@tetrad/node-evm';
import { addressFromBytes, type Hash } from '@tetrad/types';
import { WorldEditor } from '../testing/edit-world.js';
import { MemoryState } from '../testing/memory-state.js';
import { pendingStorageRoot } from './commit-changes.js';
import { loadAccount } from './load.js';
import { EMPTY_STORAGE_ROOT } from './stored-account.js';
import type { WorldState } from './world-state.js';

const contract = addressFromBytes(new Uint8Array(20).fill(7));
const bytes = (byte: number) => new Uint8Array(32).fill(byte);

async function editorOf({ database }: MemoryState, root: Hash, other?: WorldState): Promise<WorldEditor> {
  return new WorldEditor(await database.openWorld(root, other?.evm.journal));
}

const rootIn = async ({ evm }: WorldState) =>
  pendingStorageRoot(await loadAccount(evm, wordFromAddress(contract)));

/** The storage root of the account after the state was stored. */
async function committedRoot(memory: MemoryState, { world }: WorldEditor): Promise<Hash | undefined> {
  const root = memory.store(await world.commitBlock());
  return (await (await memory.database.openWorld(root)).findAccount(contract))?.storageRoot;
}

describe('the root of a storage with changes', () => {
  let memory: MemoryState;
  let stored: Hash;

  beforeEach(async () => {
    memory = new MemoryState();
    const editor = await editorOf(memory, EMPTY_STORAGE_ROOT);
    await editor.putAccount(contract, 1n, 5n);
    await editor.putSlot(contract, bytes(1), bytes(9));
    editor.end();
    stored = memory.store(await editor.world.commitBlock());
  });

  it('is that of the stored one where nothing changes', async () => {
    const editor = await editorOf(memory, stored);
    expect(await rootIn(editor.world)).toBe((await editor.world.findAccount(contract))?.storageRoot);
  });

  it('equals the root that the next block stores, before the transaction has ended', async () => {
    const editor = await editorOf(memory, stored);
    await editor.putSlot(contract, bytes(2), bytes(3));
    const pending = await rootIn(editor.world);
    editor.end();
    expect(pending).toBe(await committedRoot(memory, editor));
  });

  it('is that of the state of the account, in an execution over two states', async () => {
    const ours = new MemoryState();
    const first = await editorOf(memory, stored);
    const second = await editorOf(ours, EMPTY_STORAGE_ROOT, first.world);
    await first.putSlot(contract, bytes(2), bytes(3));
    await second.putAccount(contract, 1n, 0n);
    await second.putSlot(contract, bytes(4), bytes(4));
    const roots = [await rootIn(first.world), await rootIn(second.world)];
    first.end();
    expect(roots).toEqual([await committedRoot(memory, first), await committedRoot(ours, second)]);
  });
});
