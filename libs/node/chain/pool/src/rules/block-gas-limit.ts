import { RequestError } from '@tetrad/types';
import type { TransactionRule } from './pool-rule.js';

/** It fits a block. */
export const blockGasLimit: TransactionRule = {
  name: 'block gas limit',
  check({ gasLimit }, context) {
    if (gasLimit > context.blockGasLimit) {
      throw new RequestError('GAS_LIMIT_EXCEEDED', 'exceeds block gas limit');
    }
  },
};
