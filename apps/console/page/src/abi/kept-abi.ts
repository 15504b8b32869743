import type { DescribedContract } from './abi-file.js';

/** Which contracts an ABI is used for: every one, the one at an address in lower case, or none yet. */
export type Use = 'any' | `0x${string}` | undefined;

/** A contract of a file that the reader dropped in. */
export interface KeptAbi {
  readonly id: number;
  readonly contract: DescribedContract;
  /** File and contract, for people. Text of strangers. */
  readonly by: string;
  readonly use: Use;
  /** Whether the operator of the console offers it to every reader. */
  readonly isOffered?: true;
}

/**
 * The ABIs that are used for the contract at an address; those of its own come first.
 * @param address - undefined for a contract that is about to be created
 */
export function abisFor(all: readonly KeptAbi[], address: string | undefined): readonly KeptAbi[] {
  const own = all.filter(({ use }) => use !== undefined && use === address?.toLowerCase());
  return [...own, ...all.filter(({ use }) => use === 'any')];
}
