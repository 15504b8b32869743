import type { ExecutionContext } from '@tetrad/node-evm';
import type { ForkRules } from '../genesis/forks.js';

/** The limits of the genesis file that replace those of the fork. */
export function ownLimits({
  maxCodeSize,
  maxTransactionGas,
}: Pick<ForkRules, 'maxCodeSize' | 'maxTransactionGas'>): Pick<
  ExecutionContext,
  'maxCodeSize' | 'maxTransactionGas'
> {
  return {
    ...(maxCodeSize === undefined ? {} : { maxCodeSize }),
    ...(maxTransactionGas === undefined ? {} : { maxTransactionGas }),
  };
}
