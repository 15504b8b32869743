import { FRAMING_CODES, ForwardedError } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import type { GivenUp } from './sequence-client.js';

/** Every submission of a send met a nonce that is taken; HTTP 400 with -32603. Source: docs/spec/signing-proxy.md#nonces */
export class RetriesExhaustedError extends ForwardedError {
  override readonly name = 'RetriesExhaustedError';

  constructor() {
    super({ code: FRAMING_CODES.INTERNAL_ERROR, message: 'Internal error' });
  }
}

/** The idempotency key of a send is another request's by now: this one has signed nothing that may be submitted. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';

  constructor() {
    super('the idempotency key was taken over');
  }
}

export function givenUp(): RequestError {
  return new RequestError('REQUEST_TIMEOUT', 'the request was abandoned before it was submitted');
}

export function assertWanted(signal: GivenUp | undefined): void {
  if (signal?.aborted === true) throw givenUp();
}

/** The text of EthSigner for an answer that did not come (docs/spec/signing-proxy.md#errors). */
export function timedOut(): RequestError {
  return new RequestError(
    'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT',
    'Connection to downstream node timed out',
  );
}

export function tooManyWaiting(): RequestError {
  return new RequestError('TOO_MANY_CONCURRENT_REQUESTS', 'too many queued transactions of this account');
}
