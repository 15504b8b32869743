import { RequestError } from '@tetrad/types';
import type { SigningError } from '@tetrad/wallet-key';

/** What callers are told when the threads take no more work. In: error — POOL_FULL or POOL_CLOSED */
export function poolError(error: SigningError): RequestError {
  return new RequestError('TOO_MANY_CONCURRENT_REQUESTS', error.message);
}
