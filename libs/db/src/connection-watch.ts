import type { Clock, Logger } from '@tetrad/types';
import { DatabaseUnavailableError, isDatabaseUnavailable } from './database-unavailable.js';

export interface ConnectionWatchOptions {
  /** Sends the database any query. */
  readonly ask: () => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long it may be unavailable, in milliseconds. */
  readonly boundMs: number;
  /** Called once, when it was unavailable for longer. */
  readonly onLost: (error: DatabaseUnavailableError) => void;
}

const INTERVAL_MS = 5_000;

/**
 * For an answer; what comes later is no answer. Longer than the wait for a free connection, which ends by itself after half
 * a minute, and the query's own limit.
 */
const ANSWER_MS = 60_000;

/**
 * Detects a database that stays unavailable: a service without it can do nothing, and once it ends, its supervisor can
 * start it elsewhere or alert an operator.
 * @returns ends the watch
 */
export function watchConnection({ ask, clock, logger, boundMs, onLost }: ConnectionWatchOptions): () => void {
  let awaySince: number | undefined;
  let isOver = false;
  let cancel = () => undefined as void;
  const answer = () =>
    new Promise<unknown>((done, fail) => {
      cancel = clock.schedule(ANSWER_MS, () => fail(new DatabaseUnavailableError('Query read timeout')));
      ask().then(done, fail);
    });
  const next = () => {
    if (!isOver) cancel = clock.schedule(INTERVAL_MS, () => void look());
  };
  const back = () => {
    if (awaySince !== undefined) logger.info('database is back', { awayMs: clock.now() - awaySince });
    awaySince = undefined;
  };
  const away = (error: Error, askedMs: number) => {
    if (awaySince === undefined) logger.warn('database is away', { error: error.message });
    awaySince ??= askedMs;
    const awayMs = clock.now() - awaySince;
    if (awayMs < boundMs) return;
    isOver = true;
    onLost(new DatabaseUnavailableError(`the database was away for ${awayMs} ms: ${error.message}`));
  };
  const look = async () => {
    const askedMs = clock.now();
    try {
      await answer();
      cancel();
      back();
    } catch (error) {
      cancel();
      if (isOver) return;
      // A refused query is an answer.
      if (isDatabaseUnavailable(error)) away(error as Error, askedMs);
      else back();
    }
    next();
  };
  next();
  return () => {
    isOver = true;
    cancel();
  };
}
