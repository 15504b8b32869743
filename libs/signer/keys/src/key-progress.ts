import type { KeysCheckId, KeySource } from './key-entry.js';
import type { KeyTable } from './key-table.js';

/** How far loading is. */
export interface KeyProgress {
  /** Keys that the sources configure, whether they can be used or not. */
  readonly total: number;
  readonly loaded: number;
  readonly failed: number;
  /** Whether a load is under way. */
  readonly running: boolean;
}

/** One of the checks in the body of web3signer's `/healthcheck`. */
export interface KeysCheck {
  readonly id: KeysCheckId;
  readonly status: 'UP' | 'DOWN';
  readonly data: { readonly 'keys-loaded': number; readonly 'error-count': number };
}

export function countKeys(table: KeyTable): { loaded: number; failed: number } {
  let failed = 0;
  for (const { key } of table.values()) if (key === undefined) failed += 1;
  return { loaded: table.size - failed, failed };
}

/** A check for each way in which keys are configured; it is down when one of its keys is not available. */
export function keysChecks(sources: readonly KeySource[], table: KeyTable): readonly KeysCheck[] {
  const ids = [...new Set(sources.map(({ check }) => check))];
  return ids.map((id) => {
    const mine = new Map([...table].filter(([, { source }]) => source.check === id));
    const { loaded, failed } = countKeys(mine);
    const status = failed === 0 ? 'UP' : 'DOWN';
    return { id, status, data: { 'keys-loaded': loaded, 'error-count': failed } };
  });
}
