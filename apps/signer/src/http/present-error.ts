import { OWN_PROBLEMS } from '@tetrad/api-signer';
import { FramingError, type RpcErrorObject } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';

/** Texts of the signing proxies that users come from. Source: docs/spec/signing-proxy.md#errors. */
const TEXTS: Readonly<Record<FramingError['code'], string>> = {
  PARSE_ERROR: 'Parse error',
  INVALID_REQUEST: 'Invalid Request',
  METHOD_NOT_FOUND: 'Method not found',
  INVALID_PARAMS: 'Invalid params',
  INTERNAL_ERROR: 'Internal error',
};

/**
 * Presents an error with the messages that clients match; the details are in `data`. Client libraries show the message only, so a
 * refusal that EthSigner does not know has its reason there too (docs/adr/0021).
 */
export function presentError(object: RpcErrorObject, error: unknown): RpcErrorObject {
  if (error instanceof FramingError) {
    const data = { reason: error.code, problem: error.message, ...error.data };
    const text = TEXTS[error.code];
    return { code: object.code, message: isOwn(error) ? `${text}: ${reasonOf(error)}` : text, data };
  }
  const isFault = object.code === -32603 && !(error instanceof RequestError);
  return isFault ? { ...object, message: TEXTS.INTERNAL_ERROR } : object;
}

function isOwn({ code, message }: FramingError): boolean {
  return (
    code === 'INVALID_PARAMS' && Object.values(OWN_PROBLEMS).some((problem) => message.endsWith(problem))
  );
}

/** Without the general words in front, which the text has too. */
function reasonOf({ message }: FramingError): string {
  return message.replace(/^invalid params: /, '');
}
