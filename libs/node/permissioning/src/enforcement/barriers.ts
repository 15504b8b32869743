import type { TransactionBarrier } from '@tetrad/node-execution';

/** The account has no permission for this kind of transaction. */
export const ACCOUNT_BARRIER: TransactionBarrier = {
  reason: 'ACCOUNT_NOT_PERMITTED',
  message: 'account does not have permission for the transaction',
};

/** The account belongs to other organizations than this node. */
export const NODE_BARRIER: TransactionBarrier = {
  reason: 'NODE_NOT_PERMITTED',
  message: 'cannot send transaction from this node',
};
