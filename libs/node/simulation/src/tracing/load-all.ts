import type { World } from '@tetrad/node-evm';

/** An account, its code, and what that leads to: a few fetches one after the other. */
const MOST_FETCHES = 8;

/** Reads until nothing is missing any more. In: read — asks for everything each time, and notes what is missing */
export async function loadAll<T>({ journal }: World, read: () => T): Promise<T> {
  for (let fetches = 0; fetches <= MOST_FETCHES; fetches++) {
    const found = read();
    if (!journal.hasMissing) return found;
    await journal.fetch();
  }
  throw new Error('what is missing is still missing after it was fetched');
}
