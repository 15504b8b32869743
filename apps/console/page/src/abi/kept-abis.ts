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
  const added = parsed(text, name, use);
  if (kept.length + added.length > MAX_KEPT)
    throw new AbiFault('', `more than ${MAX_KEPT} contracts: remove others first`);
  keep([...kept, ...added]);
  return added.length;
}

/**
 * Keeps the contracts of the files that the operator offers, behind those of the reader.
 * @returns what is wrong with files that cannot be read
 */
export function addOfferedFiles(
  files: readonly { readonly name: string; readonly text: string }[],
): readonly { readonly name: string; readonly problem: string }[] {
  const problems: { name: string; problem: string }[] = [];
  const offered: KeptAbi[] = [];
  for (const { name, text } of files)
    try {
      for (const one of parsed(text, name, addressIn(name) ?? 'any'))
        offered.push({ ...one, isOffered: true });
    } catch (error) {
      if (!(error instanceof AbiFault)) throw error;
      problems.push({ name, problem: error.message });
    }
  keep([...kept.filter(({ isOffered }) => isOffered !== true), ...offered].slice(0, MAX_KEPT));
  return problems;
}

/** The contract that a file is named for; undefined for other names. */
function addressIn(name: string): `0x${string}` | undefined {
  const [address] = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/i.exec(name) ?? [];
  return address?.toLowerCase() as `0x${string}` | undefined;
}

function parsed(text: string, name: string, use: Use): readonly KeptAbi[] {
  const file = name.slice(0, MAX_FILE_NAME);
  const contracts = parseAbiFile(text, file);
  const common = contracts.length === 1 || use === 'any' ? use : undefined;
  return contracts.map((contract) => ({
    id: (lastId += 1),
    contract,
    use: common,
    by: contract.name === file ? file : `${file}, ${contract.name}`,
  }));
}

export const bindAbi = (id: number, use: Use): void =>
  keep(kept.map((one) => (one.id === id ? { ...one, use } : one)));

export const removeAbi = (id: number): void => keep(kept.filter((one) => one.id !== id));
