import { maxGasPrice } from '@tetrad/node-execution';
import { RefusalError } from '@tetrad/types';
import type { TransactionRule } from './pool-rule.js';

/** It offers the least price of gas that this node takes. */
export const gasPrice: TransactionRule = {
  name: 'gas price',
  check(transaction, { limits }) {
    if (maxGasPrice(transaction) < limits.minimumGasPrice) {
      throw new RefusalError('UNDERPRICED', 'transaction underpriced');
    }
  },
};
