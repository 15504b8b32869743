import type { NonceSequence, NonceStore, NonceWatch, SignedEntry } from '@tetrad/signer-store';
import { ForwardedError } from '@tetrad/rpc';
import type { Hash } from '@tetrad/types';
import { readVerdict } from './client-answer.js';
import type { SequenceClient } from './sequence-client.js';
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
 * One maintenance pass over a nonce sequence: takes over entries of dead replicas, resolves doubtful ones, removes
 * mined ones, and resubmits transactions that the client lost.
 *
 * Out: the nonce that the chain needs next, when no send has used it for a while; undefined otherwise
 * Fails: as the client or the database; the next pass continues the work
 */
export async function keepSequence(
  sequence: NonceSequence,
  client: SequenceClient,
  parts: KeeperParts,
): Promise<bigint | undefined> {
  const { store, watch, timing } = parts;
  await watch.takeOver(sequence.id);
  const minedCount = await client.minedCount();
  const pendingCount = await client.pendingCount();
  const doubtful = await store.listSigned(sequence.id, {
    states: ['doubtful'],
    from: 0n,
    limit: ENTRIES_PER_PASS,
  });
  await Promise.all(
    doubtful.map((entry) =>
      entry.nonce < minedCount ? judgeMined(entry, client, parts) : submitAgain(entry, client, parts),
    ),
  );
  await watch.settle(sequence.id, minedCount);
  if (sequence.privacyGroup === undefined) await announce(sequence, pendingCount, client, parts);
  const gapAgeMs = await watch.openGap(sequence.id, pendingCount);
  return gapAgeMs !== undefined && gapAgeMs >= timing.fillGapMs ? pendingCount : undefined;
}

/** The nonce is in a block: it was ours when the client has our bytes. */
async function judgeMined(entry: SignedEntry, client: SequenceClient, { moves }: KeeperParts): Promise<void> {
  const { hash, idempotency } = entry;
  const known = await client.knows(hash);
  if (known === true) {
    await moves.report(entry, { event: 'accept', hash, idempotency, answer: hash });
    return;
  }
  // When the client cannot say, the caller keeps the answer that it has: the submission timed out.
  const answer = known === false ? null : asForwarded(timedOut());
  await moves.report(entry, { event: 'lose', hash, idempotency, answer });
}

function asForwarded({ message }: Error): ForwardedError {
  return new ForwardedError({ code: -32000, message });
}

/** Resubmits the same bytes; only a rejection after the quiet time shows that they were never accepted. */
async function submitAgain(entry: SignedEntry, client: SequenceClient, parts: KeeperParts): Promise<void> {
  // A transaction with a nonce that the caller chose is submitted once.
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

/** Resubmits accepted transactions that the client no longer counts: it was restarted, or its pool was full. */
async function announce(
  sequence: NonceSequence,
  pendingCount: bigint,
  client: SequenceClient,
  { store, moves, timing }: KeeperParts,
): Promise<void> {
  const accepted = await store.listSigned(sequence.id, {
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
