import { InvalidTransactionError, assertWellFormed } from '@tetrad/node-execution';
import { RequestError } from '@tetrad/types';
import type { TransactionRule } from './pool-rule.js';

/** Its type is active, its gas covers the intrinsic gas, and its init code is not too large. */
export const wellFormed: TransactionRule = {
  name: 'well formed',
  check(transaction, { rules }) {
    try {
      assertWellFormed(transaction, rules);
    } catch (error) {
      if (!(error instanceof InvalidTransactionError)) throw error;
      const { code, message } = error;
      throw new RequestError(code === 'TRANSACTION_TYPE_NOT_SUPPORTED' ? 'TYPE_NOT_ACTIVE' : code, message);
    }
  },
};
