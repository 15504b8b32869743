import type { Incompleteness } from '../completeness/incomplete-answer.js';

/** How a recovery went; the numbers are the exit codes of existing managers. */
export enum RecoveryResult {
  Success = 0,
  Partial = 1,
  Failure = 2,
}

export interface RecoveryOutcome {
  readonly result: RecoveryResult;
  /** URLs of managers that sent all they had for us, and of those that did not, with the reason. */
  readonly answered: readonly string[];
  readonly failed: readonly { readonly url: string; readonly reason: string }[];
  /** URLs of older managers, which resend no payloads with privacy flags. */
  readonly incomplete: readonly string[];
  /** URLs of managers that sent all they have, and may have lost payloads themselves. */
  readonly inDoubt: readonly { readonly url: string; readonly state: Incompleteness }[];
  /**
   * Payloads about contracts of which we got no creation. Where every manager answered we are not a party to those, and
   * they are stored; else they stay staged, as a manager that failed may have the creation.
   */
  readonly unresolved: number;
  /** Base64 of the hashes of those creations; at most 100. */
  readonly missing: readonly string[];
}

/** What a manager sent: all it has for a key, what has no privacy flag, or all that is left of it. */
export type Sent = 'all' | 'unflagged' | Incompleteness;

/** What a manager sent for our keys, or why it did not. */
export interface Heard {
  readonly url: string;
  readonly sent: Sent | { readonly reason: string };
}

/** The outcome, but for what is staged. */
export function outcomeOf(
  heard: readonly Heard[],
): Pick<RecoveryOutcome, 'result' | 'answered' | 'incomplete' | 'inDoubt' | 'failed'> {
  const urlsOf = (what: Sent) => heard.flatMap(({ url, sent }) => (sent === what ? [url] : []));
  const inDoubt = (['restored', 'unchecked'] as const).flatMap((state) =>
    urlsOf(state).map((url) => ({ url, state })),
  );
  const failed = heard.flatMap(({ url, sent }) => (typeof sent === 'string' ? [] : [{ url, ...sent }]));
  const [answered, incomplete] = [urlsOf('all'), urlsOf('unflagged')];
  return { result: resultOf(heard), answered, incomplete, inDoubt, failed };
}

function resultOf(heard: readonly Heard[]): RecoveryResult {
  if (heard.every(({ sent }) => typeof sent !== 'string')) return RecoveryResult.Failure;
  return heard.every(({ sent }) => sent === 'all') ? RecoveryResult.Success : RecoveryResult.Partial;
}
