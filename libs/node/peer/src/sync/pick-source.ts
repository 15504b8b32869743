import type { Head } from '../wire/handshake-messages.js';

/** The properties of a peer that matter for choosing a source of blocks. */
export interface BlockSource {
  readonly head: Head | undefined;
  readonly roundTripMs: number | undefined;
  readonly syncBlockedUntilMs: number;
  readonly isConnected: boolean;
}

/** The peer with the highest head above the number; of equal ones, the one that answers fastest. */
export function pickSource<T extends BlockSource>(
  peers: readonly T[],
  { number, nowMs }: { number: number; nowMs: number },
): T | undefined {
  let best: T | undefined;
  for (const peer of peers) {
    if (!peer.isConnected || peer.syncBlockedUntilMs > nowMs || headNumber(peer) <= number) continue;
    if (best === undefined || comesBefore(peer, best)) best = peer;
  }
  return best;
}

function comesBefore(a: BlockSource, b: BlockSource): boolean {
  if (headNumber(a) !== headNumber(b)) return headNumber(a) > headNumber(b);
  return (a.roundTripMs ?? Infinity) < (b.roundTripMs ?? Infinity);
}

function headNumber({ head }: BlockSource): number {
  return head?.number ?? -1;
}
