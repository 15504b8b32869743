import { describe, expect, it } from '@jest/globals';
import { addressFromBytes, hashFromBytes, type Hash } from '@tetrad/types';
import { keccak256 } from '@tetrad/crypto';
import { WorldEditor } from '../testing/edit-world.js';
import { MemoryState } from '../testing/memory-state.js';
import { modifiedAccounts } from './modified-accounts.js';
import { EMPTY_STORAGE_ROOT } from './stored-account.js';

const account = (id: number) => addressFromBytes(new Uint8Array(20).fill(id));
const word = (value: number) => new Uint8Array(32).fill(value);

const memory = new MemoryState();

async function block(root: Hash, change: (editor: WorldEditor) => Promise<void>): Promise<Hash> {
  const editor = new WorldEditor(await memory.database.openWorld(root));
  await change(editor);
  editor.end();
  return memory.store(await editor.world.commitBlock());
}

async function modified(from: Hash, to: Hash, bounds = { entries: 100, places: 1_000 }) {
  const [older, newer] = [await memory.database.openWorld(from), await memory.database.openWorld(to)];
  return modifiedAccounts(older, newer, bounds);
}

const hashed = (address: string) =>
  Buffer.from(keccak256(Buffer.from(address.slice(2), 'hex'))).toString('hex');

describe('accounts that blocks modified', () => {
  it('are those with another nonce, balance, code or storage, by their hashes, and no removed ones', async () => {
    const first = await block(EMPTY_STORAGE_ROOT, async (editor) => {
      for (let id = 1; id <= 30; id += 1) await editor.putAccount(account(id), 1n, 5n);
    });
    const second = await block(first, async (editor) => {
      await editor.putAccount(account(1), 2n, 5n);
      await editor.putAccount(account(2), 1n, 6n);
      await editor.putCode(account(3), Uint8Array.of(0x00));
      await editor.putSlot(account(4), word(1), word(2));
      await editor.putAccount(account(31), 1n, 1n);
      await editor.remove(account(5));
      // Written with what it has.
      await editor.putAccount(account(6), 1n, 5n);
    });
    const third = await block(second, (editor) => editor.putSlot(account(4), word(1), word(3)));
    const sorted = (...ids: number[]) => ids.map(account).sort((a, b) => (hashed(a) < hashed(b) ? -1 : 1));
    expect(await modified(first, second)).toEqual({ kind: 'found', addresses: sorted(1, 2, 3, 4, 31) });
    expect(await modified(second, third)).toEqual({ kind: 'found', addresses: [account(4)] });
    expect(await modified(first, third)).toEqual(await modified(first, second));
    expect(await modified(third, third)).toEqual({ kind: 'found', addresses: [] });
    expect(await modified(first, second, { entries: 4, places: 1_000 })).toEqual({ kind: 'tooMany' });
  });

  it('whose address is not stored are named by its hash', async () => {
    const root = await block(EMPTY_STORAGE_ROOT, (editor) => editor.putAccount(account(77), 1n, 1n));
    const newer = await memory.database.openWorld(root);
    Object.assign(newer, { findPreimage: async () => undefined });
    const older = await memory.database.openWorld(EMPTY_STORAGE_ROOT);
    expect(await modifiedAccounts(older, newer, { entries: 9, places: 9 })).toEqual({
      kind: 'unnamed',
      hashedAddress: hashFromBytes(Buffer.from(hashed(account(77)), 'hex')),
    });
  });
});
