import { RequestError, type Logger } from '@tetrad/types';
import { isDatabaseUnavailable } from './database-unavailable.js';

type Handler = (...args: never[]) => unknown;

/**
 * Handlers whose failures caused by the database become the error DATABASE_UNAVAILABLE, upon which callers
 * retry; the text of the database, which may name hosts and users, goes to the log.
 */
export function refuseWithoutDatabase<Table extends Readonly<Record<string, Handler>>>(
  handlers: Table,
  logger: Logger,
): Table {
  const guarded = Object.entries(handlers).map(([name, handler]) => [name, guard(name, handler, logger)]);
  return Object.fromEntries(guarded) as Table;
}

function guard(method: string, handler: Handler, logger: Logger): Handler {
  const refuse = (error: unknown): never => {
    if (!isDatabaseUnavailable(error)) throw error;
    logger.warn('call refused: database unavailable', { method, error: (error as Error).message });
    throw new RequestError('DATABASE_UNAVAILABLE', 'the database is not available; try again');
  };
  return (...args) => {
    try {
      const result = handler(...args);
      return result instanceof Promise ? result.catch(refuse) : result;
    } catch (error) {
      return refuse(error);
    }
  };
}
