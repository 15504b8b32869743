import type { Incompleteness } from '../completeness/incomplete-answer.js';

/**
 * How a recovery went; the numbers are the exit codes of existing managers.
 *
 * Success: every manager has sent what it has for us, and none is known to lack any of that. Managers that began empty and
 * have not heard all of their own peers are named, and do not change the number: else a network in which several managers
 * begin empty could not be recovered. Partial: something is known to be missing, or may come from a manager that did not
 * send all. Failure: no manager sent anything.
 */
export enum RecoveryResult {
  Success = 0,
  Partial = 1,
  Failure = 2,
}

export interface RecoveryOutcome {
  readonly result: RecoveryResult;
  /** URLs of managers that sent all they ever had for us, and of those that did not answer, with the reason. */
  readonly answered: readonly string[];
  readonly failed: readonly { readonly url: string; readonly reason: string }[];
  /** URLs of older managers, which resend no payloads with privacy flags. */
  readonly incomplete: readonly string[];
  /** URLs of managers that sent all they have, and of whose payloads some are gone until they have recovered. */
  readonly restored: readonly string[];
  /**
   * URLs of managers that sent all they have, and cannot know whether they lost any: they began empty and have not heard all
   * of their peers. A manager that was in doubt stays so until they have.
   */
  readonly unchecked: readonly string[];
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

/** From all there ever was to what certainly lacks some. */
const FROM_BEST: readonly Sent[] = ['all', 'unchecked', 'unflagged', 'restored'];

/** What a manager sent for our keys, or why it did not. */
export interface Heard {
  readonly url: string;
  readonly sent: Sent | { readonly reason: string };
}

/** What a manager sent for two keys together, or why it did not for one of them. */
export function worseOf(one: Heard['sent'], other: Heard['sent']): Heard['sent'] {
  if (typeof one !== 'string') return one;
  if (typeof other !== 'string') return other;
  return FROM_BEST.indexOf(one) > FROM_BEST.indexOf(other) ? one : other;
}

/** What waits for contracts whose creation did not come. */
export type Unresolved = Pick<RecoveryOutcome, 'unresolved' | 'missing'>;

/** The outcome of a recovery by what was heard, and by what was staged when all had been. */
export function outcomeOf(heard: readonly Heard[], staged: Unresolved): RecoveryOutcome {
  const urlsOf = (what: Sent) => heard.flatMap(({ url, sent }) => (sent === what ? [url] : []));
  return {
    result: resultOf(heard, staged),
    answered: urlsOf('all'),
    incomplete: urlsOf('unflagged'),
    restored: urlsOf('restored'),
    unchecked: urlsOf('unchecked'),
    failed: heard.flatMap(({ url, sent }) => (typeof sent === 'string' ? [] : [{ url, ...sent }])),
    ...staged,
  };
}

/** Whether every manager has sent what it ever had for us. */
export function isAll(heard: readonly Heard[]): boolean {
  return heard.every(({ sent }) => sent === 'all');
}

function resultOf(heard: readonly Heard[], { unresolved }: Unresolved): RecoveryResult {
  if (heard.every(({ sent }) => typeof sent !== 'string')) return RecoveryResult.Failure;
  if (isAll(heard)) return RecoveryResult.Success;
  const isReceived = heard.every(({ sent }) => sent === 'all' || sent === 'unchecked');
  // What is still staged is not read by anyone, and an unchecked manager may have had what it waits for.
  return isReceived && unresolved === 0 ? RecoveryResult.Success : RecoveryResult.Partial;
}
