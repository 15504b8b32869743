import type { IncomingMessage } from 'node:http';
import { contentTypeProblem } from '@tetrad/rpc';

/**
 * Whether a body is declared, once, as what it is read as: JSON in UTF-8. Under another charset the Ethereum client may
 * read another request in the same bytes.
 */
export function isDeclaredAsJson({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): boolean {
  const types = headersDistinct['content-type'] ?? [];
  return types.length === 1 && contentTypeProblem(types[0]) === undefined;
}
