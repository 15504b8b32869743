import { AsyncLocalStorage } from 'node:async_hooks';

const METHODS = ['run', 'enterWith'];

/**
 * Disables the asynchronous storages that were used while `work` was running, once it is over.
 *
 * jest-circus makes one for every test file and leaves it enabled. Node writes each enabled storage to every new promise: in the
 * hundredth file of a worker, promises would cost a hundred times what they cost in the first, and no file's memory would be released.
 */
export async function disablingItsStorages(work) {
  const used = new Set();
  const originals = METHODS.map((method) => AsyncLocalStorage.prototype[method]);
  for (const [index, method] of METHODS.entries()) {
    AsyncLocalStorage.prototype[method] = function (...args) {
      used.add(this);
      return originals[index].apply(this, args);
    };
  }
  try {
    return await work();
  } finally {
    for (const [index, method] of METHODS.entries()) AsyncLocalStorage.prototype[method] = originals[index];
    for (const storage of used) storage.disable();
  }
}
