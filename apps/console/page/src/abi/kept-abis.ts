import { useSyncExternalStore } from 'react';
import { AbiFault } from './abi-fault.js';
import { parseAbiFile } from './abi-file.js';
import type { KeptAbi, Use } from './kept-abi.js';

/** Contracts that are kept at a time. */
const MAX_KEPT = 2_000;
/** Characters of a file's name that are kept. */
const MAX_FILE_NAME = 100;

/** In memory only, as tokens are: no storage, no other page. They are gone when the page is closed. */
let kept: readonly KeptAbi[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function keep(next: readonly KeptAbi[]): void {
  kept = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All ABIs of the session. */
export const useKeptAbis = (): readonly KeptAbi[] => useSyncExternalStore(subscribe, () => kept);

/**
 * Keeps the contracts of a file. When it has several, the reader has to say which of them an address is.
 * @param name - of the file
 * @param use - for the contract of a file with one; every contract of others is for all, or for none yet
 * @returns how many
 * @throws AbiFault, and nothing is kept
 */
export function addAbiFile(text: string, name: string, use: Use): number {
  const file = name.slice(0, MAX_FILE_NAME);
  const contracts = parseAbiFile(text, file);
  if (kept.length + contracts.length > MAX_KEPT)
    throw new AbiFault('', `more than ${MAX_KEPT} contracts: remove others first`);
  const common = contracts.length === 1 || use === 'any' ? use : undefined;
  const added = contracts.map((contract) => ({
    id: (lastId += 1),
    contract,
    use: common,
    by: contract.name === file ? file : `${file}, ${contract.name}`,
  }));
  keep([...kept, ...added]);
  return contracts.length;
}

export const bindAbi = (id: number, use: Use): void =>
  keep(kept.map((one) => (one.id === id ? { ...one, use } : one)));

export const removeAbi = (id: number): void => keep(kept.filter((one) => one.id !== id));
