import type { Transaction } from '../api/shapes.js';

/** Values of `v` of private transactions. Source: GoQuorum, core/types/transaction.go */
const PRIVATE_V = [37n, 38n];
/** The recipient of privacy marker transactions. Source: GoQuorum, core/vm/contracts.go */
const PRECOMPILE = '0x000000000000000000000000000000000000007a';

/** How a transaction of the chain is private; undefined for a public one. */
export type PrivateKind = 'private' | 'marker';

export function privateKindOf({ v, to }: Pick<Transaction, 'v' | 'to'>): PrivateKind | undefined {
  if (v !== null && v !== undefined && PRIVATE_V.includes(v)) return 'private';
  return to?.toLowerCase() === PRECOMPILE ? 'marker' : undefined;
}
