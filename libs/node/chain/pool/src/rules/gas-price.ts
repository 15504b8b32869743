import { maxGasPrice } from '@tetrad/node-execution';
import { RequestError } from '@tetrad/types';
import type { TransactionRule } from './pool-rule.js';

/** It offers at least the minimum gas price of this node. */
export const gasPrice: TransactionRule = {
  name: 'gas price',
  check(transaction, { limits }) {
    if (maxGasPrice(transaction) < limits.minimumGasPrice) {
      throw new RequestError('UNDERPRICED', 'transaction underpriced');
    }
  },
};
