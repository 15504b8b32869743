import type pg from 'pg';
import { findGapEnd } from './hot/find-gap.js';
import type { NonceName } from './nonce-rows.js';

/**
 * Nonces that no transaction has and that the chain needs before it can mine ours behind them. A narrow gap has been
 * opened: its nonces are free, for as long as `ageMs`. A wide one is left to `NonceWatch.leadBack`.
 */
export type Gap = { readonly isWide: true } | { readonly isWide: false; readonly ageMs: number };

/** Nonces of the widest gap that is opened. Transactions behind one that no send fills are mined after fillers. */
const MAX_OPENED = 64;

/**
 * The gap that begins with the nonce that the chain needs next.
 * @param client - in a transaction that has locked the sequence
 */
export async function findGap(
  client: pg.ClientBase,
  start: NonceName,
): Promise<{ readonly isWide: boolean; readonly end: bigint } | undefined> {
  const end = await findGapEnd(client, start);
  return end === undefined ? undefined : { end, isWide: end - start.nonce > MAX_OPENED };
}
