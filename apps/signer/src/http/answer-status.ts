import { FramingError, ForwardedError } from '@tetrad/rpc';
import { RetriesExhaustedError } from '@tetrad/signer-nonces';
import { RequestError } from '@tetrad/types';
import { EstimateRefusedError } from '../rpc/filled-gas.js';

/** Methods whose failures are the sender's (400) where others' are the service's (500). */
const SENDING = new Set(['eth_sendTransaction', 'eea_sendTransaction']);

/** Reason → HTTP status; other rejections are 200. */
const REQUEST_ERROR_STATUS: Readonly<Record<string, number>> = {
  FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE: 504,
  CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT: 504,
  DOWNSTREAM_NODE_NOT_TRUSTED: 502,
  REQUEST_TIMEOUT: 504,
  KEY_LOADING: 503,
  KEY_UNAVAILABLE: 503,
};

/**
 * HTTP status of the answer to one request.
 * Source: docs/spec/signing-proxy.md#errors
 *
 * @param error - what was thrown; undefined for a result
 * @param method - that was requested, when the request names one
 */
export function answerStatus(error: unknown, method?: string): number {
  if (error === undefined) return 200;
  const isSending = method !== undefined && SENDING.has(method);
  if (error instanceof RequestError) {
    if (error.code === 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT') return isSending ? 400 : 200;
    return REQUEST_ERROR_STATUS[error.code] ?? 200;
  }
  if (error instanceof FramingError) {
    if (error.code === 'METHOD_NOT_FOUND') return 200;
    return error.code === 'INTERNAL_ERROR' ? 500 : 400;
  }
  if (error instanceof RetriesExhaustedError) return 400;
  // That of a call the caller could have made, as the client answers it.
  if (error instanceof EstimateRefusedError) return 200;
  // The Ethereum client's error when it is asked for a nonce.
  if (error instanceof ForwardedError) return 500;
  return isSending ? 400 : 500;
}
