import { isPrivateTransaction } from '@tetrad/node-execution';
import { RequestError } from '@tetrad/types';
import type { TransactionRule } from './pool-rule.js';

/** Bytes of the hash of a payload. */
const HASH_BYTES = 64;

/**
 * A private transaction carries the hash of its payload, and no ether. One that carries anything else was most likely
 * signed for chain 1, whose transactions have the same v, and would recover to a different sender here.
 *
 * Source: docs/spec/private-transactions.md#pool; the reference only requires the hash to be present
 */
export const privateTransaction: TransactionRule = {
  name: 'private transaction',
  check(transaction) {
    if (!isPrivateTransaction(transaction)) return;
    if (transaction.value !== 0n || transaction.data.length === 0) {
      throw new RequestError(
        'PRIVATE_VALUE_NOT_SUPPORTED',
        'ether value is not supported for private transactions',
      );
    }
    if (transaction.data.length !== HASH_BYTES) {
      throw new RequestError(
        'INVALID_PAYLOAD_HASH',
        `not the hash of a private payload: ${transaction.data.length} bytes instead of ${HASH_BYTES}; was the transaction signed for chain 1?`,
      );
    }
  },
};
