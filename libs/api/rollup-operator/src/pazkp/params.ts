import { optionalParam, param } from '@tetrad/rpc';
import {
  accountIdSchema,
  amountCodec,
  ciphertextCodec,
  fieldElementCodec,
  movedAmountCodec,
  nonceSchema,
  operationHashCodec,
  scalarCodec,
  signatureCodec,
  softLimitSchema,
  tokenIdSchema,
} from '../wire/values.js';
import { operationStatusSchema } from '../wire/records.js';

/** Parameters that the operations share. */

export const SOURCE = 'interface document, "Rollup operator interface"';

export const fromAccountId = param('fromAccountId', accountIdSchema, 'paying account');
export const toAccountId = param('toAccountId', accountIdSchema, 'receiving account');
export const tokenId = param('tokenId', tokenIdSchema, 'token');
export const amount = param('amount', movedAmountCodec, 'token base units, above 0');
export const nonce = param(
  'nonce',
  nonceSchema,
  'nonce of this operation: the first has 1, and it is at most 1,000 above that of the account',
);
export const blindingFactor = param('blindingFactor', fieldElementCodec, '32 bytes');
export const randomizationFactor = param(
  'randomizationFactor',
  scalarCodec,
  'with which the encryption is checked',
);
export const signature = param('signature', signatureCodec, 'account signature, 96 bytes');
export const operationHash = param(
  'operationHash',
  operationHashCodec,
  'id that creating the operation gave',
);
export const fromNonce = param('nonce', nonceSchema, 'first nonce listed');
export const softLimit = param(
  'softLimit',
  softLimitSchema,
  'maximum of results; only operations that all have one nonce may be more',
);
export const wantedFrom = optionalParam('fromAccountId', accountIdSchema, 'only from this account');
export const wantedTo = optionalParam('toAccountId', accountIdSchema, 'only to this account');
export const wantedStatus = optionalParam('status', operationStatusSchema, 'only with this status');
export const minAmount = optionalParam('minAmount', amountCodec, 'only of at least this amount');
export const maxAmount = optionalParam('maxAmount', amountCodec, 'only of at most this amount');

/** A ciphertext under the receiver's joint encryption key. */
export function encrypted(name: string) {
  return param(name, ciphertextCodec, "encrypted with the receiver's joint encryption key");
}

/** With which reasons an operation is refused before it is queued. Later rejections are statuses. */
export const OPERATION_ERRORS = [
  'ROLLUP_ACCOUNT_NOT_FOUND',
  'ROLLUP_ACCOUNT_NOT_FINALIZED',
  'ROLLUP_ACCOUNT_OPAQUE',
  'ROLLUP_FROZEN',
  'UNKNOWN_TOKEN',
  'INVALID_ACCOUNT_SIGNATURE',
  'NONCE_TOO_HIGH',
  'TOO_MANY_CONCURRENT_REQUESTS',
  'QUOTA_EXCEEDED',
  'QUEUE_FULL',
] as const;
