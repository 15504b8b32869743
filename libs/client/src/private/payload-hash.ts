import { UnexpectedTransactionError } from '../errors/privacy-errors.js';

/**
 * What stands for a payload on the chain is a hash: other data would be a call that the node has chosen.
 *
 * @throws UnexpectedTransactionError
 */
export function assertPayloadHash(data: unknown): void {
  if (typeof data === 'string' && /^0x[0-9a-f]{128}$/i.test(data)) return;
  throw new UnexpectedTransactionError({ field: 'data', wanted: 'a hash of 64 bytes', filled: String(data) });
}
