import { ForwardedError } from '@tetrad/rpc';
import type { NonceName } from '@tetrad/signer-store';
import type { Hash } from '@tetrad/types';
import { isKnownTransactionOfBesu, readVerdict, type Verdict } from './client-answer.js';
import { FinalError, type SequenceClient, type NonceSend, type SignedBytes } from './sequence-client.js';
import type { RecordedMoves, Report } from './recorded-moves.js';
import { RetriesExhaustedError, timedOut } from './send-errors.js';

/** Outcome of the submissions of one signed transaction. */
export type Submission =
  | { readonly status: 'sent'; readonly hash: Hash }
  | { readonly status: 'failed'; readonly error: unknown }
  /** Another transaction has the nonce; `clientCount` is what the client says comes next. */
  | { readonly status: 'nonce-taken'; readonly clientCount: bigint }
  /** The client wants a lower nonce first. */
  | { readonly status: 'nonce-too-high'; readonly error: unknown };

interface Submitted {
  readonly signed: SignedBytes;
  readonly moves: RecordedMoves;
}

/**
 * Submits stored bytes, and stores what came of it.
 *
 * A client that says the nonce is used and does not count past it contradicts itself: it gets the same bytes again. Only
 * its count makes a send take another nonce, so that a request leaves no second payment behind for an answer alone.
 * Never rejects.
 *
 * @param options.most - how often the bytes may be submitted, at least once
 * @returns submissions — how often they were
 */
export async function submitSigned(
  send: NonceSend,
  name: NonceName,
  { most, ...submitted }: Submitted & { readonly most: number },
): Promise<{ readonly submission: Submission; readonly submissions: number }> {
  for (let submissions = 1; ; submissions += 1) {
    const submission = await submitOnce(send, name, submitted);
    if (submission !== 'contradicted') return { submission, submissions };
    if (submissions >= most) return { submission: await giveUp(send, name, submitted), submissions };
  }
}

async function submitOnce(
  send: NonceSend,
  name: NonceName,
  { signed, moves }: Submitted,
): Promise<Submission | 'contradicted'> {
  const report: ReportOutcome = (event, answer) =>
    moves.report(name, { event, hash: signed.hash, idempotency: send.claim?.digest, answer });
  try {
    const hash = await send.client.submit(signed.raw);
    // Stored before the caller gets the answer: should this replica die now and the client lose its pool, a later
    // rejection of the same bytes must not assign the nonce to another send.
    await report('accept', hash);
    return { status: 'sent', hash };
  } catch (error) {
    const verdict = await settleVerdict(error, send.client, signed);
    const settled =
      verdict === 'nonce-too-low' || verdict === 'underpriced'
        ? await takenNonce(send, name, { signed, report })
        : await settleFailure(error, { verdict, hash: signed.hash, report });
    if (!(error instanceof FinalError)) return settled;
    // Its answer goes to the caller as it came, whatever the bytes have become.
    if (settled === 'contradicted') await report('doubt');
    return { status: 'failed', error };
  }
}

type ReportOutcome = (event: Report['event'], answer?: Report['answer']) => Promise<boolean | undefined>;

async function settleFailure(
  error: unknown,
  {
    verdict,
    hash,
    report,
  }: { readonly verdict: Verdict; readonly hash: Hash; readonly report: ReportOutcome },
): Promise<Submission> {
  switch (verdict) {
    case 'known':
      await report('accept', error instanceof FinalError ? error : hash);
      return { status: 'sent', hash };
    case 'nonce-too-high':
      return (await report('refuse')) === true
        ? { status: 'nonce-too-high', error }
        : { status: 'failed', error: timedOut() };
    case 'unsent':
      // Unless the nonce is free, another replica may have submitted the bytes, or will when it takes them over.
      return { status: 'failed', error: (await report('refuse', null)) === true ? error : timedOut() };
    case 'refused': {
      const ours = await report('refuse', error instanceof ForwardedError ? error : null);
      // Another replica took over and may have submitted the bytes by now.
      return { status: 'failed', error: ours === false ? timedOut() : error };
    }
    default:
      await report('doubt');
      return { status: 'failed', error };
  }
}

/**
 * Besu's "Known transaction" was a reason to take another nonce for EthSigner (SP-48). It is success here when the
 * client can show the very transaction, and otherwise what it was there (docs/adr/0024).
 */
async function settleVerdict(failure: unknown, client: SequenceClient, { hash }: SignedBytes) {
  const verdict = readVerdict(failure);
  if (verdict !== 'known' || !isKnownTransactionOfBesu(failure)) return verdict;
  const known = await client.knows(hash).catch(() => undefined);
  return known === true ? 'known' : 'nonce-too-low';
}

/** The client refused the bytes for their nonce: it is another transaction's, unless the client still counts from it. */
async function takenNonce(
  { client }: NonceSend,
  { nonce }: NonceName,
  { signed, report }: { readonly signed: SignedBytes; readonly report: ReportOutcome },
): Promise<Submission | 'contradicted'> {
  try {
    const clientCount = await client.pendingCount();
    if (clientCount <= nonce) return 'contradicted';
    // A request that arrived twice is refused the second time, and its transaction may be in a block by now.
    if ((await knowsBytes(client, signed)) === true) {
      await report('accept', signed.hash);
      return { status: 'sent', hash: signed.hash };
    }
    const ours = await report('lose');
    // Another replica that took over may have submitted the bytes; a send with another nonce could execute it twice.
    return ours === true ? { status: 'nonce-taken', clientCount } : { status: 'failed', error: timedOut() };
  } catch (error) {
    // Neither is known to have the nonce: the keeper finds out.
    await report('doubt');
    return { status: 'failed', error };
  }
}

/** After the last contradiction: what became of the bytes is as unknown as without an answer. */
async function giveUp(
  { client, claim }: NonceSend,
  name: NonceName,
  { signed, moves }: Submitted,
): Promise<Submission> {
  const { hash } = signed;
  if ((await knowsBytes(client, signed).catch(() => undefined)) === true) {
    await moves.report(name, { event: 'accept', hash, idempotency: claim?.digest, answer: hash });
    return { status: 'sent', hash };
  }
  await moves.report(name, { event: 'doubt', hash });
  return { status: 'failed', error: new RetriesExhaustedError() };
}

/**
 * @returns undefined when the client cannot say
 * @throws RequestError without an answer
 */
function knowsBytes(client: SequenceClient, { hash }: SignedBytes): Promise<boolean | undefined> {
  return client.knows(hash).catch((error: unknown) => {
    if (error instanceof ForwardedError) return undefined;
    throw error;
  });
}
