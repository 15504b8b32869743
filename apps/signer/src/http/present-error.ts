import { FramingError, type RpcErrorObject } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';

/** Texts of the signing proxies that users come from. Source: signing-proxy.md, section 3. */
const TEXTS: Readonly<Record<FramingError['code'], string>> = {
  PARSE_ERROR: 'Parse error',
  INVALID_REQUEST: 'Invalid Request',
  METHOD_NOT_FOUND: 'Method not found',
  INVALID_PARAMS: 'Invalid params',
  INTERNAL_ERROR: 'Internal error',
};

/** Presents an error with the messages that clients match; the details are in `data` (docs/adr/0021). */
export function presentError(object: RpcErrorObject, error: unknown): RpcErrorObject {
  if (error instanceof FramingError) {
    const data = { reason: error.code, problem: error.message, ...error.data };
    return { code: object.code, message: TEXTS[error.code], data };
  }
  const isFault = object.code === -32603 && !(error instanceof RequestError);
  return isFault ? { ...object, message: TEXTS.INTERNAL_ERROR } : object;
}
