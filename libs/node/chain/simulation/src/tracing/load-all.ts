import type { World } from '@tetrad/node-evm';

/** Maximum number of sequential fetches: an account, its code, and the accounts to which that leads. */
const MAX_FETCHES = 8;

/**
 * Repeats the read until no data is missing.
 * @param read - reads everything each time, and notes missing data
 */
export async function loadAll<T>({ journal }: World, read: () => T): Promise<T> {
  for (let fetches = 0; fetches <= MAX_FETCHES; fetches++) {
    const found = read();
    if (!journal.hasMissing) return found;
    await journal.fetch();
  }
  throw new Error('data is still missing after it was fetched');
}
