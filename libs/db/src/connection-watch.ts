import type { Clock, Logger } from '@tetrad/types';
import { DatabaseUnavailableError, isDatabaseUnavailable } from './database.js';

export interface ConnectionWatchOptions {
  /** Asks the database anything. */
  readonly ask: () => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long it may be away, in milliseconds. */
  readonly boundMs: number;
  /** Called once, when it was away for longer. */
  readonly onLost: (error: DatabaseUnavailableError) => void;
}

const INTERVAL_MS = 5_000;

/**
 * Notices when a database is away and does not come back: a service without it can do nothing, and whoever supervises it can
 * start it elsewhere or wake somebody, if only it ends.
 *
 * Out: ends the watch
 */
export function watchConnection({ ask, clock, logger, boundMs, onLost }: ConnectionWatchOptions): () => void {
  let awaySince: number | undefined;
  let isOver = false;
  let cancel = () => undefined as void;
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
      await ask();
      back();
    } catch (error) {
      if (isOver) return;
      // That it refuses what is asked is an answer.
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
