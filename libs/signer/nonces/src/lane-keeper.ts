import type { Lane, NonceStore, NonceWatch, SignedEntry } from '@tetrad/signer-store';
import { ForwardedError } from '@tetrad/rpc';
import type { Hash } from '@tetrad/types';
import { readVerdict } from './client-answer.js';
import type { LaneClient } from './lane-client.js';
import { ENTRIES_PER_PASS, type NonceManagerTiming } from './params.js';
import type { RecordedMoves } from './recorded-moves.js';
import { timedOut } from './send-errors.js';

export interface KeeperParts {
  readonly store: NonceStore;
  readonly watch: NonceWatch;
  readonly moves: RecordedMoves;
  readonly timing: NonceManagerTiming;
}

/**
 * One pass of looking after a lane: takes over from the dead, finds out what became of what is in doubt, takes away
 * what is mined, and submits again what the client lost.
 *
 * Out: a nonce that the chain waits for, that nobody has and that nobody took for a while; undefined without one
 * Fails: as the client or the database; the next pass does what this one left
 */
export async function keepLane(
  lane: Lane,
  client: LaneClient,
  parts: KeeperParts,
): Promise<bigint | undefined> {
  const { store, watch, timing } = parts;
  await watch.takeOver(lane.id);
  const minedCount = await client.minedCount();
  const pendingCount = await client.pendingCount();
  const doubtful = await store.listSigned(lane.id, {
    states: ['doubtful'],
    from: 0n,
    limit: ENTRIES_PER_PASS,
  });
  await Promise.all(
    doubtful.map((entry) =>
      entry.nonce < minedCount ? judgeMined(entry, client, parts) : submitAgain(entry, client, parts),
    ),
  );
  await watch.settle(lane.id, minedCount);
  if (lane.privacyGroup === undefined) await announce(lane, pendingCount, client, parts);
  const gapAgeMs = await watch.openGap(lane.id, pendingCount);
  return gapAgeMs !== undefined && gapAgeMs >= timing.fillGapMs ? pendingCount : undefined;
}

/** The nonce is in a block: it was ours when the client has our bytes. */
async function judgeMined(entry: SignedEntry, client: LaneClient, { moves }: KeeperParts): Promise<void> {
  const { hash, idempotency } = entry;
  const known = await client.knows(hash);
  if (known === true) {
    await moves.report(entry, { event: 'accept', hash, idempotency, answer: hash });
    return;
  }
  // A client that cannot say leaves the caller with the answer that it had: that there was none.
  const answer = known === false ? null : asForwarded(timedOut());
  await moves.report(entry, { event: 'lose', hash, idempotency, answer });
}

function asForwarded({ message }: Error): ForwardedError {
  return new ForwardedError({ code: -32000, message });
}

/** The same bytes once more; only a rejection after a quiet time says that they were never taken. */
async function submitAgain(entry: SignedEntry, client: LaneClient, parts: KeeperParts): Promise<void> {
  // A nonce of the caller's choice is submitted once.
  if (entry.given) return;
  const { hash, idempotency } = entry;
  const accepted = (answer: Hash) =>
    parts.moves.report(entry, { event: 'accept', hash, idempotency, answer });
  try {
    await accepted(await client.submit(entry.raw));
  } catch (error) {
    const verdict = readVerdict(error);
    if (verdict === 'known') await accepted(hash);
    if (verdict === 'doubtful') await parts.moves.report(entry, { event: 'doubt', hash });
    if (verdict === 'refused' && entry.ageMs >= parts.timing.quietMs) {
      const answer = error instanceof ForwardedError ? error : null;
      await parts.moves.report(entry, { event: 'refute', hash, idempotency, answer });
    }
  }
}

/** What was accepted and is not counted any more, the client has lost: it was started anew, or its pool was full. */
async function announce(
  lane: Lane,
  pendingCount: bigint,
  client: LaneClient,
  { store, moves, timing }: KeeperParts,
): Promise<void> {
  const accepted = await store.listSigned(lane.id, {
    states: ['accepted'],
    from: pendingCount,
    limit: ENTRIES_PER_PASS,
  });
  const lost = accepted.filter(({ given, ageMs }) => !given && ageMs >= timing.announceMs);
  await Promise.all(
    lost.map(async (entry) => {
      await client.submit(entry.raw).catch(() => undefined);
      await moves.report(entry, { event: 'accept', hash: entry.hash });
    }),
  );
}
