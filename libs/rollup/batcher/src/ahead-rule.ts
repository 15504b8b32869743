import type { SubmissionView } from './submission-rule.js';

/** What is known of a batch that follows one which was sent. */
export type FollowingBatch = Pick<SubmissionView, 'previousStateRoot' | 'attempts' | 'failures'>;
export type SentBatch = Pick<SubmissionView, 'nextStateRoot' | 'attempts' | 'failures'>;

export type AheadStep =
  /** A transaction behind that of the batch before, whether or not that is mined. */
  | { readonly do: 'send'; readonly nonce: number }
  /** It was sent, and one behind it may be. */
  | { readonly do: 'pass' }
  /** Nothing is sent before the batch before is on the chain. */
  | { readonly do: 'stop' };

const STOP: AheadStep = { do: 'stop' };

/**
 * Whether a batch is sent before the one before it is mined, so that a block takes several: a pure function of stored rows and of what the client has.
 * Where anything went wrong it waits, as a transaction behind one that fails costs gas and does nothing.
 *
 * @param before - the batch before, which was sent
 * @param batch - with its proof
 * @returns what to do about the batch
 */
export function aheadStep(before: SentBatch, batch: FollowingBatch): AheadStep {
  const last = before.attempts.at(-1);
  if (last === undefined || !last.isKnown || last.succeeded === false || last.isOutdated) return STOP;
  if (before.failures > 0 || batch.failures > 0 || batch.previousStateRoot !== before.nextStateRoot)
    return STOP;
  const nonce = last.nonce + 1;
  const sent = batch.attempts.at(-1);
  if (sent === undefined) return { do: 'send', nonce };
  return sent.nonce === nonce && sent.isKnown && !sent.isOutdated ? { do: 'pass' } : STOP;
}
