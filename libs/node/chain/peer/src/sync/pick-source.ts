import type { Address } from '@tetrad/types';
import type { Head } from '../wire/handshake-messages.js';

/** The properties of a peer that matter for choosing a source of blocks. */
export interface BlockSource {
  readonly address: Address;
  readonly head: Head | undefined;
  readonly roundTripMs: number | undefined;
  readonly syncBlockedUntilMs: number;
  readonly syncFaults: number;
  readonly isConnected: boolean;
}

/** What a source of blocks is chosen by. */
export interface SourceRequest {
  /** Number of this node's head. */
  readonly number: number;
  readonly nowMs: number;
  /** Addresses that come before all others. */
  readonly preferred: readonly Address[];
}

/**
 * The peer to ask for the blocks above a number: a preferred one, then the one that failed least, then the one with the
 * highest head, then the one that answers fastest.
 */
export function pickSource<T extends BlockSource>(
  peers: readonly T[],
  { number, nowMs, preferred }: SourceRequest,
): T | undefined {
  const isPreferred = ({ address }: T) => preferred.includes(address);
  let best: T | undefined;
  for (const peer of peers) {
    if (!peer.isConnected || peer.syncBlockedUntilMs > nowMs || headNumber(peer) <= number) continue;
    const isOther = best === undefined || isPreferred(peer) !== isPreferred(best);
    if (best === undefined || (isOther ? isPreferred(peer) : comesBefore(peer, best))) best = peer;
  }
  return best;
}

function comesBefore(a: BlockSource, b: BlockSource): boolean {
  if (a.syncFaults !== b.syncFaults) return a.syncFaults < b.syncFaults;
  if (headNumber(a) !== headNumber(b)) return headNumber(a) > headNumber(b);
  return (a.roundTripMs ?? Infinity) < (b.roundTripMs ?? Infinity);
}

function headNumber({ head }: BlockSource): number {
  return head?.number ?? -1;
}
