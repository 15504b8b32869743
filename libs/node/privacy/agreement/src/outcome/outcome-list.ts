import { keccakHash } from '@tetrad/crypto';
import { ZERO_HASH, hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { fixed, type FixedFields } from '../signed/fixed-fields.js';

/** A transaction in a list of outcomes. */
export interface ListedOutcome {
  /** Of the transaction in the block. */
  readonly hash: Hash;
  /** See `outcomeDigest`; `UNDISCLOSED` where the node does not tell the outcome. */
  readonly digest: Hash;
}

/** In place of the digest of an outcome that a node does not tell the other party, or does not know any more. */
export const UNDISCLOSED = ZERO_HASH;

/** Maximum number of transactions that travel in a list: 64,000 bytes. */
export const MAX_LISTED = 1_000;

/** A list as another party told it. */
export interface ToldList {
  /** In the order of the block; the first 1,000 of more. */
  readonly outcomes: readonly ListedOutcome[];
  /** Whether these are all of them; only then can the list be checked against a statement. */
  readonly isWhole: boolean;
}

/**
 * The digest of a block between two parties.
 *
 * Layout: (hash of the transaction (32) ‖ digest of its outcome (32)) for each, in the order of the block
 *
 * @param outcomes - of the transactions that both parties take part in
 * @returns keccak256 of it
 */
export function listDigest(outcomes: readonly ListedOutcome[]): Hash {
  return keccakHash(Buffer.concat(outcomes.flatMap(pairBytes)));
}

/** Layout: number of all (4) ‖ number of those that follow (2) ‖ (hash (32) ‖ digest (32)) for each */
export function listBytes(outcomes: readonly ListedOutcome[]): Uint8Array {
  const told = outcomes.slice(0, MAX_LISTED);
  return Buffer.concat([fixed(outcomes.length, 4), fixed(told.length, 2), ...told.flatMap(pairBytes)]);
}

/**
 * Reads what `listBytes` wrote.
 * @returns undefined where the numbers contradict each other or a transaction is there twice
 * @throws RangeError
 */
export function readList(fields: FixedFields): ToldList | undefined {
  const all = Number(fields.bigint(4));
  const told = Number(fields.bigint(2));
  if (told !== Math.min(all, MAX_LISTED)) return undefined;
  const outcomes = Array.from({ length: told }, () => ({
    hash: hashFromBytes(fields.take(32)),
    digest: hashFromBytes(fields.take(32)),
  }));
  const isDistinct = new Set(outcomes.map(({ hash }) => hash)).size === told;
  return isDistinct ? { outcomes, isWhole: told === all } : undefined;
}

function pairBytes({ hash, digest }: ListedOutcome): Uint8Array[] {
  return [hashToBytes(hash), hashToBytes(digest)];
}
