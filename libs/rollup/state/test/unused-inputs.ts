import type { OperationKind } from '@tetrad/rollup-crypto';

const payment = ['from_id', 'to_id', 'amount', 'order_blinding', 'to_address', 'total_index'];
const paths = ['order_path', 'batch_path'];
const account = [
  'joint_key_hash',
  'nonce',
  'redemption_index',
  'account_blinding',
  'account_path',
  'consent',
];
const balance = ['balance', 'balance_path'];
const signature = ['signature.r', 'signature.s'];
/** What a credit says of the consent that lets it be. */
const terms = ['minimum', 'until_height', 'consent_secret'];
const unconsented = [...terms, 'next_consent'];

/** Inputs of an operation that a kind has no use for. All others bind. */
export const UNUSED_INPUTS: Readonly<Record<OperationKind, readonly string[]>> = {
  createAccount: [...payment, ...paths, ...unconsented, 'direct', 'token_id'],
  createMoneyOrder: ['joint_key', 'to_address', 'total_index', ...paths, ...unconsented],
  redeemMoneyOrder: ['joint_key', 'to_address', ...unconsented, 'direct'],
  outboundTransfer: [
    'joint_key',
    'to_id',
    'order_blinding',
    'total_index',
    ...paths,
    ...unconsented,
    'direct',
  ],
  inboundTransfer: [
    ...account,
    ...balance,
    ...paths,
    ...signature,
    ...unconsented,
    'joint_key',
    'order_blinding',
    'to_address',
    'total_index',
    'direct',
  ],
  noOp: [
    ...payment,
    ...paths,
    ...account,
    ...balance,
    ...signature,
    ...unconsented,
    'joint_key',
    'token_id',
    'direct',
  ],
  setConsent: [
    'joint_key',
    'to_id',
    'amount',
    'order_blinding',
    'to_address',
    'total_index',
    ...paths,
    ...terms,
    'direct',
    'token_id',
  ],
  credit: ['joint_key', 'to_address', 'total_index', ...paths, 'next_consent', 'direct', 'signature.s'],
};

/** The field of an operation, or of the batch, that an input of the circuit is a word of. */
export const fieldOfInput = (name: string) =>
  name.replace(/^operations\.\d+\./, '').replace(/^(signature\.[rs]|[^.]+)\..*$/, '$1');
