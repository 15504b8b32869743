import { ForwardedError } from '@tetrad/rpc';
import type { NonceName } from '@tetrad/signer-store';
import type { Hash } from '@tetrad/types';
import { isKnownTransactionOfBesu, readVerdict, type Verdict } from './client-answer.js';
import { FinalError, type SequenceClient, type NonceSend, type SignedBytes } from './sequence-client.js';
import type { RecordedMoves, Report } from './recorded-moves.js';
import { timedOut } from './send-errors.js';

/** Outcome of one submission with an assigned nonce. */
export type Submission =
  | { readonly status: 'sent'; readonly hash: Hash }
  | { readonly status: 'failed'; readonly error: unknown }
  /** Another transaction has the nonce; `clientCount` is what the client says comes next. */
  | { readonly status: 'nonce-taken'; readonly clientCount: bigint }
  /** The client wants a lower nonce first. */
  | { readonly status: 'nonce-too-high'; readonly error: unknown };

/** Submits stored bytes for the first time, and stores what came of it. Fails: never */
export async function submitSigned(
  send: NonceSend,
  name: NonceName,
  signed: SignedBytes,
  moves: RecordedMoves,
): Promise<Submission> {
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
        ? await takenNonce(send, { ...name, hash: signed.hash }, moves)
        : await settleFailure(error, { verdict, hash: signed.hash, report });
    return error instanceof FinalError ? { status: 'failed', error } : settled;
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
      await report('refuse', null);
      return { status: 'failed', error };
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

/** The bytes were submitted once and refused, so another transaction has the nonce. */
async function takenNonce(
  { client, claim }: NonceSend,
  name: NonceName & { readonly hash: Hash },
  moves: RecordedMoves,
): Promise<Submission> {
  const { hash } = name;
  try {
    const clientCount = await client.pendingCount();
    // The client may still expect the same nonce; then it is used again.
    const ours = await moves.report(name, { event: clientCount === name.nonce ? 'refuse' : 'lose', hash });
    // Another replica that took over may have submitted the bytes; a send with another nonce could execute it twice.
    return ours === true ? { status: 'nonce-taken', clientCount } : { status: 'failed', error: timedOut() };
  } catch (error) {
    await moves.report(name, { event: 'lose', hash, idempotency: claim?.digest, answer: null });
    return { status: 'failed', error };
  }
}
