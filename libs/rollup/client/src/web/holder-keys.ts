import { OperatorError } from '@tetrad/types';
import type { RollupKeys } from '../keys/rollup-keys.js';

/** Beside the objects, so that nothing that prints one prints a key. */
const keysOfHolders = new WeakMap<object, RollupKeys>();

/**
 * Keeps the keys of a holder as long as the holder is there.
 *
 * @param holder - the holder
 * @param keys - its keys
 */
export function keepKeys(holder: object, keys: RollupKeys): void {
  keysOfHolders.set(holder, keys);
}

/**
 * The keys of a holder.
 *
 * @param holder - made by `rollupHolder`
 * @returns its keys
 * @throws OperatorError for a copy, or another object
 */
export function keysOf(holder: object): RollupKeys {
  const keys = keysOfHolders.get(holder);
  if (keys === undefined) throw new OperatorError('holder: must be one that rollupHolder has made');
  return keys;
}
