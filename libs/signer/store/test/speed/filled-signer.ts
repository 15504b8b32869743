import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '@tetrad/db';
import { hashFromBytes, type Hash } from '@tetrad/types';
import type { NonceState } from '../../src/generated/enums.js';
import type { SignedNonce } from '../../src/nonce-rows.js';
import { openSignerRows, type SignerCalls } from '../../src/signer-client.js';

/** Sends that share a statement when a signer is busy (docs/performance/signer.md). */
export const GROUP = 8;
/** Rows of a page, and entries of a pass over a sequence. */
export const PAGE = 100;
/** A signed transfer. */
const RAW = 110;

/** A database with the rows of a busy signer. */
export interface FilledSigner {
  readonly database: Database;
  readonly client: SignerCalls;
  /** Of the replica that is measured; it lives. */
  readonly replica: string;
  /** Whose rows the statements work on. */
  readonly sequenceId: number;
  close(): Promise<void>;
}

export async function fillSigner(database: Database): Promise<FilledSigner> {
  const { client, close } = openSignerRows(database);
  const replica = randomUUID();
  await client.replica.create({ data: { id: replica, aliveUntil: new Date(Date.now() + 3_600_000) } });
  const { id } = await client.nonceSequence.create({
    data: { chainId: 1n, account: randomBytes(20), privacyGroup: Buffer.alloc(0) },
  });
  return { database, client, replica, sequenceId: Number(id), close };
}

/** Stores rows of the state, the first with the nonce. */
export async function storeEntries(
  { client, replica, sequenceId }: FilledSigner,
  { first, count, state }: { readonly first: number; readonly count: number; readonly state: NonceState },
): Promise<void> {
  const bytes = state === 'reserved' || state === 'free' ? {} : { raw: randomBytes(RAW), hash: HASH };
  for (let from = first; from < first + count; from += AT_ONCE)
    await client.nonceEntry.createMany({
      data: Array.from({ length: Math.min(AT_ONCE, first + count - from) }, (_, place) => ({
        sequenceId,
        nonce: from + place,
        state,
        owner: replica,
        ...bytes,
      })),
    });
}

/** Rows of one statement of the client, which sends larger ones at the same time on one connection. */
const AT_ONCE = 1_000;

const HASH = randomBytes(32);
/** That of every stored row. */
export const STORED_HASH: Hash = hashFromBytes(HASH);

/** Signed transactions, the first with the nonce. */
export function signedFrom(sequenceId: number, first: number, count = GROUP): SignedNonce[] {
  return Array.from({ length: count }, (_, place) => ({
    sequenceId,
    nonce: BigInt(first + place),
    raw: randomBytes(RAW),
    hash: STORED_HASH,
  }));
}

/** Numbers that no turn has used, a group each. */
export function groupsFrom(start: number, size = GROUP): () => number {
  let next = start;
  return () => (next += size) - size;
}

/** Rows that the turns of both ways use up. */
export const TURNS_ROWS = 120 * GROUP;
