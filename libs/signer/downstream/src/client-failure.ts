import { FramingError } from '@tetrad/rpc';
import { RequestError, type ErrorData } from '@tetrad/types';

const TIMEOUTS = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError']);

/** The exchange did not begin, so nothing of the request can have arrived. */
const UNSENT = { sent: false };

/** The port is closed, or the host is unreachable. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Codes of OpenSSL and of certificate checks in Node. */
const TLS_CODE = /^(?:ERR_(?:SSL|TLS|OSSL)|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * The error for callers when the call to the Ethereum client failed.
 *
 * What failed says nothing of whether the request arrived: TLS also fails by a byte of the answer that is changed on its way,
 * and a host also becomes unreachable while it answers.
 *
 * Source: docs/spec/signing-proxy.md#errors
 *
 * @param hasBegun - whether the request may have been written, whole or in part; only without is the error `sent: false`
 * @returns RequestError CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT, FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE or
 *   DOWNSTREAM_NODE_NOT_TRUSTED; an internal error when the connection ended in the middle
 */
export function clientFailure(error: unknown, hasBegun = true): RequestError | FramingError {
  const { name, code } = describe(error);
  const arrival = hasBegun ? {} : UNSENT;
  if (TIMEOUTS.has(name)) {
    return new RequestError(
      'CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT',
      'Connection to downstream node timed out',
      name === 'ConnectTimeoutError' ? arrival : {},
    );
  }
  if (UNREACHABLE.has(code) || name === 'ProxyRefusedError')
    return failed('FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', arrival);
  if (name === 'UntrustedServerError' || TLS_CODE.test(code))
    return failed('DOWNSTREAM_NODE_NOT_TRUSTED', arrival);
  return new FramingError('INTERNAL_ERROR', 'the connection to the Ethereum client was lost', {
    reason: 'DOWNSTREAM_CONNECTION_LOST',
  });
}

/** The Ethereum client's response does not answer the request. */
export function unusableAnswer(): FramingError {
  return new FramingError('INTERNAL_ERROR', 'the answer of the Ethereum client cannot be used', {
    reason: 'DOWNSTREAM_ANSWER_UNUSABLE',
  });
}

function failed(reason: string, arrival: ErrorData): RequestError {
  return new RequestError(reason, 'Failed to connect to downstream node', arrival);
}

/** Attempts over several addresses end in an error that holds those of each. */
function describe(error: unknown): { name: string; code: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  return { name: String(name), code: String(code) };
}
