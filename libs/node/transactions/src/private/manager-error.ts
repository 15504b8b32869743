import { rejectionText, type Refused, type Unknown } from '@tetrad/transaction-manager-client';
import { RequestError } from '@tetrad/types';

/** HTTP status that the client gives to what it does not even ask. */
const NOT_ASKED = 501;

/** What a caller is told of a manager that did not do what it was asked for, in the words of existing nodes. */
export function managerError(outcome: Refused | Unknown): RequestError {
  if (outcome.kind === 'unknown') {
    const message = `private transaction manager is not ready: ${outcome.reason}`;
    return new RequestError('TRANSACTION_MANAGER_UNAVAILABLE', message);
  }
  const message = outcome.status === NOT_ASKED ? outcome.text : rejectionText(outcome);
  return new RequestError('TRANSACTION_MANAGER_REFUSED', message);
}
