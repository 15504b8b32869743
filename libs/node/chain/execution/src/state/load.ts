import type { Account, Slot, Word, World } from '@tetrad/node-evm';

/** Asynchronous reads of a world's own tables: what is missing is fetched. */

/**
 * The account, existing or not.
 * @throws whatever the storage fails with
 */
export function loadAccount(world: World, address: Word): Promise<Account> {
  return load(world, () => world.account(address));
}

/**
 * The slot; its value is zero when nothing is stored.
 * @throws whatever the storage fails with
 */
export function loadSlot(world: World, account: Account, slot: Word): Promise<Slot> {
  return load(world, () => world.slot(account, slot));
}

async function load<T>({ journal }: World, read: () => T | undefined): Promise<T> {
  const known = read();
  if (known !== undefined) return known;
  await journal.fetch();
  const fetched = read();
  if (fetched === undefined) throw new Error('data is still missing after it was fetched');
  return fetched;
}
