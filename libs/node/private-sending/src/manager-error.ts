import { rejectionText, type Refused, type Unknown } from '@tetrad/transaction-manager-client';
import { RequestError } from '@tetrad/types';

/** HTTP status that the client library sets for a request that it does not send. */
const NOT_ASKED = 501;

/** The error for a caller when the manager failed or refused, with the texts of existing nodes. */
export function managerError(outcome: Refused | Unknown): RequestError {
  if (outcome.kind === 'unknown') {
    const message = `private transaction manager is not ready: ${outcome.reason}`;
    return new RequestError('TRANSACTION_MANAGER_UNAVAILABLE', message);
  }
  const message = outcome.status === NOT_ASKED ? outcome.text : rejectionText(outcome);
  return new RequestError('TRANSACTION_MANAGER_REFUSED', message);
}
