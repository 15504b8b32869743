import { RequestError } from '@tetrad/types';
import type { TransactionRule } from './pool-rule.js';

/** Its size is within the limits of this node and of the genesis file. */
export const transactionSize: TransactionRule = {
  name: 'transaction size',
  check({ raw }, { limits, rules }) {
    const limit = Math.min(limits.transactionBytes, rules.maxTransactionSize ?? Infinity);
    if (raw.length <= limit) return;
    const text = `oversized data: transaction size ${raw.length}, limit ${limit}`;
    throw new RequestError('OVERSIZED_DATA', text);
  },
};
