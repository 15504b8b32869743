import type { Database } from '@tetrad/db';
import { addressFromBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import { readSends, type SendOfPage, type SendQuery } from './hot/list-sends.js';
import type { NonceName, NonceState } from './nonce-rows.js';

/** A nonce that is assigned and not settled, without the bytes that are signed with it. */
export interface ListedSend extends NonceName {
  readonly chainId: bigint;
  readonly account: Address;
  readonly isPrivate: boolean;
  readonly state: NonceState;
  readonly isGiven: boolean;
  readonly hash: Hash | undefined;
  /** In ms since the epoch. */
  readonly changedMs: number;
}

/**
 * A page of the nonces of all replicas, by the key of their rows, highest first: a nonce keeps its place while its state
 * changes.
 * @returns after — of the next page; undefined when this is the last
 */
export async function listSends(
  { pool }: Pick<Database, 'pool'>,
  query: SendQuery,
): Promise<{ readonly rows: readonly ListedSend[]; readonly after: NonceName | undefined }> {
  const found = await readSends(pool, query);
  const rows = found.flatMap((row) => (row.sequenceId === null ? [] : [sendOf(row, row.sequenceId)]));
  const [first] = found;
  const edge = first?.isFull ? { sequenceId: first.edgeSequence, nonce: BigInt(first.edgeNonce) } : undefined;
  return { rows, after: rows.length === query.limit ? rows.at(-1) : edge };
}

function sendOf(row: SendOfPage, sequenceId: number): ListedSend {
  return {
    sequenceId,
    nonce: BigInt(row.nonce),
    state: row.state,
    isGiven: row.given,
    chainId: BigInt(row.chainId),
    account: addressFromBytes(row.account),
    isPrivate: row.isPrivate,
    hash: row.hash === null ? undefined : hashFromBytes(row.hash),
    changedMs: Math.round(row.changedMs),
  };
}
