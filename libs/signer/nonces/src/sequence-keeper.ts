import type { Gap, NonceSequence, NonceStore, NonceWatch, SignedEntry } from '@tetrad/signer-store';
import { ForwardedError } from '@tetrad/rpc';
import { RequestError, type Hash, type Logger } from '@tetrad/types';
import { readVerdict } from './client-answer.js';
import type { BelievedCount } from './believed-count.js';
import type { SequenceClient } from './sequence-client.js';
import { ENTRIES_PER_PASS, type NonceManagerTiming } from './params.js';
import type { RecordedMoves } from './recorded-moves.js';
import { timedOut } from './send-errors.js';

export interface KeeperParts {
  readonly store: NonceStore;
  readonly watch: NonceWatch;
  readonly moves: RecordedMoves;
  readonly timing: NonceManagerTiming;
  readonly logger: Logger;
  /** Called for each sequence that was led back. */
  readonly onLedBack?: (() => void) | undefined;
}

/** A nonce that the chain needs and no send uses. */
export interface NonceToFill {
  readonly nonce: bigint;
  /** The transaction that has the nonce, and that must be outbid; absent when none has it. */
  readonly lost?: Uint8Array | undefined;
}

/**
 * One maintenance pass over a nonce sequence: takes over entries of dead replicas, resolves doubtful ones, removes
 * mined ones, resubmits transactions that the client lost, and leads a sequence back whose transactions cannot be mined.
 * An entry that cannot be resolved now is logged, and holds up nothing else of the sequence.
 * @param count - checks what the client counts; while no count is believed nothing changes
 * @returns the nonce that the chain needs next, when no send has used it for a while; undefined otherwise
 * @throws as the client or the database; the next pass continues the work
 */
export async function keepSequence(
  count: BelievedCount,
  client: SequenceClient,
  parts: KeeperParts,
): Promise<NonceToFill | undefined> {
  const { sequence } = count;
  const { store, watch } = parts;
  await watch.takeOver(sequence.id);
  const counts = await believedCounts(count, client);
  if (counts === undefined) return undefined;
  await count.recordChain(client);
  const { minedCount, pendingCount } = counts;
  const doubtful = await store.listSigned(sequence.id, {
    states: ['doubtful'],
    from: 0n,
    limit: ENTRIES_PER_PASS,
  });
  const look = (entry: SignedEntry) =>
    entry.nonce < minedCount ? checkMined(entry, client, parts) : submitAgain(entry, client, parts);
  await lookAfterEach(doubtful, look, { sequence, logger: parts.logger });
  await watch.settle(sequence.id, minedCount);
  if (sequence.privacyGroup === undefined) await announce(sequence, pendingCount, client, parts);
  const gap = await watch.openGap(sequence.id, pendingCount);
  return (await closeGap(gap, { count, pendingCount, parts })) ?? lostNonce(sequence, pendingCount, parts);
}

/** The lost transaction that keeps those behind it from being mined. */
async function lostNonce(
  { id: sequenceId }: NonceSequence,
  nonce: bigint,
  { store, timing }: KeeperParts,
): Promise<NonceToFill | undefined> {
  const entry = await store.find({ sequenceId, nonce });
  return entry?.lost === true && entry.ageMs >= timing.fillGapMs ? { nonce, lost: entry.raw } : undefined;
}

/** @throws as the client; the database's error */
async function believedCounts(
  count: BelievedCount,
  client: SequenceClient,
): Promise<{ readonly minedCount: bigint; readonly pendingCount: bigint } | undefined> {
  const mined = await client.minedCount();
  const pending = await client.pendingCount();
  const highest = mined > pending ? mined : pending;
  const believed = await count.check(client, highest);
  if (believed === undefined) return undefined;
  return { minedCount: mined < believed ? mined : believed, pendingCount: believed };
}

/** @returns the nonce to fill */
async function closeGap(
  gap: Gap | undefined,
  {
    count,
    pendingCount,
    parts,
  }: { readonly count: BelievedCount; readonly pendingCount: bigint; readonly parts: KeeperParts },
): Promise<NonceToFill | undefined> {
  const { id, account } = count.sequence;
  const { watch, timing, logger, onLedBack } = parts;
  if (count.outlastsWideGap(gap?.isWide === true) && (await watch.leadBack(id, pendingCount))) {
    onLedBack?.();
    const text = 'nonce sequence led back: the chain cannot mine what waits behind the gap';
    logger.warn(text, { account, nextNonce: pendingCount.toString() });
  }
  return gap?.isWide === false && gap.ageMs >= timing.fillGapMs ? { nonce: pendingCount } : undefined;
}

/** The nonce is in a block: it was ours when the client has our bytes. */
async function checkMined(entry: SignedEntry, client: SequenceClient, { moves }: KeeperParts): Promise<void> {
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
  { store, moves, timing, logger }: KeeperParts,
): Promise<void> {
  const accepted = await store.listSigned(sequence.id, {
    states: ['accepted'],
    from: pendingCount,
    limit: ENTRIES_PER_PASS,
  });
  const lost = accepted.filter(({ given, ageMs }) => !given && ageMs >= timing.announceMs);
  const submit = async (entry: SignedEntry) => {
    await client.submit(entry.raw).catch(() => undefined);
    await moves.report(entry, { event: 'accept', hash: entry.hash });
  };
  await lookAfterEach(lost, submit, { sequence, logger });
}

/** What fails is logged in one line, and is looked after in the next pass; the others do not wait for it. */
async function lookAfterEach(
  entries: readonly SignedEntry[],
  look: (entry: SignedEntry) => Promise<void>,
  { sequence, logger }: { readonly sequence: NonceSequence; readonly logger: Logger },
): Promise<void> {
  const outcomes = await Promise.allSettled(entries.map(look));
  const errors = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (errors.length === 0) return;
  // The health check of the client logs its outage once.
  const fault = errors.find((error) => !(error instanceof RequestError));
  logger[fault === undefined ? 'debug' : 'warn']('some transactions not looked after, will retry', {
    account: sequence.account,
    count: errors.length,
    error: fault ?? errors[0],
  });
}
