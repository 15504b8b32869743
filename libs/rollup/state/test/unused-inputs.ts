import type { OperationKind } from '@tetrad/rollup-crypto';

const payment = ['from_id', 'to_id', 'amount', 'order_blinding', 'to_address', 'total_index'];
const paths = ['order_path', 'batch_path'];
const account = ['joint_key_hash', 'nonce', 'redemption_index', 'account_blinding', 'account_path'];
const balance = ['balance', 'balance_path'];

/** Inputs of an operation that a kind has no use for. All others bind. */
export const UNUSED_INPUTS: Readonly<Record<OperationKind, readonly string[]>> = {
  createAccount: [...payment, ...paths, 'token_id'],
  createMoneyOrder: ['joint_key', 'to_address', 'total_index', ...paths],
  redeemMoneyOrder: ['joint_key', 'to_address'],
  outboundTransfer: ['joint_key', 'to_id', 'order_blinding', 'total_index', ...paths],
  inboundTransfer: [
    ...account,
    ...balance,
    ...paths,
    'joint_key',
    'order_blinding',
    'to_address',
    'total_index',
    'signature',
  ],
  noOp: [...payment, ...paths, ...account, ...balance, 'joint_key', 'token_id', 'signature'],
};
