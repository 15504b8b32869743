import { RequestError } from '@tetrad/types';
import type { TransactionRule } from './pool-rule.js';

/** A transaction has at most as many bytes as this node takes, and as the genesis file allows. */
export const transactionSize: TransactionRule = {
  name: 'transaction size',
  check({ raw }, { limits, rules }) {
    const limit = Math.min(limits.transactionBytes, rules.maxTransactionSize ?? Infinity);
    if (raw.length <= limit) return;
    const text = `oversized data: transaction size ${raw.length}, limit ${limit}`;
    throw new RequestError('OVERSIZED_DATA', text);
  },
};
