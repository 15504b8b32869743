import { isDatabaseUnavailable } from '@tetrad/db';
import type { Logger } from '@tetrad/types';
import type { ManagerErrorKind } from '../manager-error.js';
import { isManagerFault, type ManagerFault } from '../manager-fault.js';
import { text, type HttpAnswer } from './route.js';

/** As existing managers answer: what they reject for its content is a 500 as well. */
const STATUSES: Readonly<Record<ManagerErrorKind, number>> = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  unreachable: 410,
  rejected: 500,
  unavailable: 503,
};

const CLOSE = { connection: 'close' };

/** The answer to a client or peer about a failure; details that it must not see go into the log. */
export function answerToError(error: unknown, logger: Logger): HttpAnswer {
  if (isManagerFault(error)) return answerToFault(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (isDatabaseUnavailable(error)) {
    logger.warn('request refused: database unavailable', { error: reason });
    return text('the database is not available; try again', 503);
  }
  logger.error('request failed', { error: reason });
  return text('HTTP 500 Internal Server Error', 500);
}

function answerToFault(error: ManagerFault): HttpAnswer {
  switch (error.code) {
    case 'MANAGER_UNREACHABLE':
      return unreachable(error.message);
    case 'MANAGER_ERROR':
      if (error.kind === 'unreachable') return unreachable(error.message);
      return { ...text(error.message, STATUSES[error.kind]), type: error.type };
    case 'UNKNOWN_KEY':
      return text(error.message, 404);
    case 'MANAGER_BODY_TOO_LONG':
      return { ...text('HTTP 413 Request Entity Too Large', 413), headers: CLOSE };
    case 'MANAGER_OVERLOADED':
      return { ...text('too many requests in progress; try again', 503), headers: CLOSE };
    case 'MALFORMED_PAYLOAD':
    case 'INVALID_PUBLIC_KEY':
      return text(error.message, 500);
  }
}

/** Clients read this failure where HTTP has the reason phrase; of several, all are in the body. */
function unreachable(message: string): HttpAnswer {
  const headers = { reason: message.split('\n', 1)[0] ?? '' };
  return message.includes('\n') ? { ...text(message, 410), headers } : { status: 410, headers };
}
