import { defineMethod, optionalParam, param } from '@tetrad/rpc';
import {
  BLINDING,
  CIPHERTEXT,
  EXECUTED,
  INCLUSION,
  MONEY_ORDER,
  OPERATION_HASH,
  PENDING,
  RANDOMIZATION,
  SIBLING,
  SIGNATURE,
  TOTAL_INDEX,
} from '../examples.js';
import { textForInteger } from '../tolerances.js';
import {
  creationCodec,
  creationItemCodec,
  listOf,
  receivedCodec,
  receivedItemCodec,
  receivedStatusSchema,
} from '../wire/records.js';
import { accountIdSchema, totalIndexSchema } from '../wire/values.js';
import { defineCreation, defineFind, defineListing } from './operation-methods.js';
import {
  SOURCE,
  amount,
  blindingFactor,
  encrypted,
  fromAccountId,
  fromNonce,
  maxAmount,
  minAmount,
  nonce,
  randomizationFactor,
  signature,
  softLimit,
  toAccountId,
  tokenId,
  wantedFrom,
  wantedStatus,
  wantedTo,
} from './params.js';

/** Money orders: payments from one account of the rollup to another, until they are redeemed. */
export const pazkpMoneyOrderMethods = {
  pazkp_createMoneyOrder: defineCreation({
    summary: 'Queues a money order; both accounts must be in the rollup.',
    params: [
      fromAccountId,
      toAccountId,
      tokenId,
      amount,
      blindingFactor,
      encrypted('encryptedMoneyOrder'),
      randomizationFactor,
      nonce,
      signature,
    ],
    errors: ['AMOUNT_TOO_LOW', 'INVALID_ENCRYPTION'],
    accepts: [textForInteger(0, 1, 2, 7)],
    examples: [
      {
        summary: 'queues one',
        params: [4, 9, 1, 2500, BLINDING, CIPHERTEXT, RANDOMIZATION, 1, SIGNATURE],
      },
    ],
  }),
  pazkp_findMoneyOrderCreation: defineFind({
    summary: 'A money order that the caller issued, null when it is unknown.',
    found: creationCodec,
    examples: [
      { summary: 'that is pending', params: [OPERATION_HASH], result: PENDING },
      {
        summary: 'with the account id before',
        params: [4, OPERATION_HASH],
        result: { ...EXECUTED, ...INCLUSION },
      },
    ],
  }),
  pazkp_findReceivedMoneyOrder: defineMethod({
    summary: 'A money order that the account can redeem or has redeemed, null when it does not exist.',
    params: [
      param('accountId', accountIdSchema, 'receiving account'),
      param('moneyOrderTotalIndex', totalIndexSchema, 'batch id in 4 bytes, index in 2'),
    ],
    result: receivedCodec.nullable(),
    accepts: [textForInteger(0, 1)],
    source: SOURCE,
    examples: [
      {
        summary: 'finds one',
        params: [9, TOTAL_INDEX],
        result: {
          moneyOrder: MONEY_ORDER,
          moneyOrderTotalIndex: TOTAL_INDEX,
          batchHeight: 7,
          merkleProof: [SIBLING],
        },
      },
    ],
  }),
  pazkp_listMoneyOrderCreations: defineListing({
    summary: 'Money orders of an account, from a nonce on.',
    params: [fromNonce, softLimit, fromAccountId, wantedTo, wantedStatus, minAmount, maxAmount],
    item: creationItemCodec,
    accepts: [textForInteger(0, 1, 2, 3)],
    examples: [
      {
        summary: 'of any status',
        params: [1, 20, 4, null, null, null, null],
        result: { hasMoreResults: true, items: [EXECUTED] },
      },
    ],
  }),
  pazkp_listMoneyOrdersReceived: defineMethod({
    summary: 'Finalized money orders that the account can redeem or has redeemed, from an index on.',
    params: [
      param('fromMoneyOrderTotalIndex', totalIndexSchema, 'first index listed'),
      softLimit,
      wantedFrom,
      toAccountId,
      optionalParam('status', receivedStatusSchema, 'only with this status'),
      minAmount,
      maxAmount,
    ],
    result: listOf(receivedItemCodec),
    errors: ['ROLLUP_ACCOUNT_NOT_FOUND'],
    accepts: [textForInteger(0, 1, 2, 3)],
    source: SOURCE,
    examples: [
      {
        summary: 'that can be redeemed',
        params: [0, 20, null, 9, 'AVAILABLE_TO_REDEEM', null, 5000],
        result: {
          hasMoreResults: false,
          items: [{ moneyOrder: MONEY_ORDER, moneyOrderTotalIndex: TOTAL_INDEX, batchHeight: 7 }],
        },
      },
    ],
  }),
};
