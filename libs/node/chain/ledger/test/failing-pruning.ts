import type { StatePruning } from '../src/index.js';

export type PruningStore = Parameters<typeof StatePruning.start>[0]['store'];

/** Fails at the given call of the store, before or after its transaction: what a killed process leaves. */
export function failing(at: number, isDone: boolean): (store: PruningStore) => PruningStore {
  let calls = 0;
  return (own) => {
    const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
      const isLast = calls++ >= at;
      if (isLast && !isDone) throw new Error('killed');
      const result = await work();
      if (isLast) throw new Error('killed');
      return result;
    };
    return {
      find: () => own.find(),
      sizes: () => own.sizes(),
      begin: () => guarded(() => own.begin()),
      gather: (hashes, next) => guarded(() => own.gather(hashes, next)),
      retire: (terms) => guarded(() => own.retire(terms)),
    };
  };
}
