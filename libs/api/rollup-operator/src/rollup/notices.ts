import { defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import { receivedItemCodec } from '../wire/records.js';
import { accountIdSchema, nonceSchema, totalIndexSchema } from '../wire/values.js';

const SOURCE = 'beyond the interface document';
const SUBSCRIPTION_ID = `0x${'5a'.repeat(16)}`;

const SUBSCRIBE_ERRORS = ['SUBSCRIPTIONS_NEED_WEBSOCKET', 'TOO_MANY_SUBSCRIPTIONS'] as const;
const SUBSCRIBE_ACCOUNT_ERRORS = [
  ...SUBSCRIBE_ERRORS,
  'ROLLUP_ACCOUNT_NOT_FOUND',
  'ROLLUP_ACCOUNT_NOT_FINALIZED',
] as const;

const subscriptionIdSchema = z.string().regex(/^0x[0-9a-f]{32}$/, 'must be 16 bytes of hex');

/** Method name of the notices on a WebSocket; their parameters are `{subscription, result}`. */
export const NOTICE_METHOD = 'rollup_subscription';

/** Of `rollup_subscribeReceivedMoneyOrders`: an order of a batch that is now final. */
export const receivedNoticeCodec = receivedItemCodec;

/** Of `rollup_subscribeFinalBatches`. */
export const batchNoticeCodec = z.object({
  batchHeight: z.int().nonnegative(),
  batchStateRootHash: hashCodec,
  /** Ethereum block that accepted the batch. */
  blockNumber: z.int().nonnegative(),
  blockHash: hashCodec,
});

/** Of `rollup_subscribeAccountProgress`; null while the account cannot be read. */
export const progressNoticeCodec = z.object({
  accountId: accountIdSchema,
  /** Nonce of the latest operation of the account that is in a batch. */
  executedNonce: nonceSchema.nullable(),
  /** In a batch that has a proof, as all batches before it. */
  provedNonce: nonceSchema.nullable(),
  /** In a batch that is final on the chain. */
  finalNonce: nonceSchema.nullable(),
  /** Total index of the latest credit of the account that is in a batch; null without one. */
  executedCredit: totalIndexSchema.nullable(),
  provedCredit: totalIndexSchema.nullable(),
  finalCredit: totalIndexSchema.nullable(),
  /** Accepted operations that are in no batch yet; rejected ones do not count. */
  pendingOperations: z.int().nonnegative(),
});

/** Notices over WebSocket: what comes after the answer, each once, as long as the connection lasts. */
export const rollupNoticeMethods = {
  rollup_subscribeReceivedMoneyOrders: defineMethod({
    summary:
      'Notices of money orders that the account receives, each once its batch is final. After a lost connection pazkp_listMoneyOrdersReceived has what was missed.',
    params: [param('accountId', accountIdSchema, 'receiving account')],
    result: subscriptionIdSchema,
    errors: SUBSCRIBE_ACCOUNT_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of an account', params: [4], result: SUBSCRIPTION_ID }],
  }),
  rollup_subscribeAccountProgress: defineMethod({
    summary:
      'Notices of how far the operations of the account and its credits are: executed, proved and final. The first one says how it is, and each replaces those before, so that nothing is missed after a lost connection. Changes that come together are one notice.',
    params: [param('accountId', accountIdSchema, 'account that signs the operations')],
    result: subscriptionIdSchema,
    errors: SUBSCRIBE_ACCOUNT_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of an account', params: [4], result: SUBSCRIPTION_ID }],
  }),
  rollup_subscribeFinalBatches: defineMethod({
    summary: 'Notices of batches, each once it is final.',
    params: [],
    result: subscriptionIdSchema,
    errors: SUBSCRIBE_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of all', params: [], result: SUBSCRIPTION_ID }],
  }),
  rollup_unsubscribe: defineMethod({
    summary: 'Ends a subscription of this WebSocket.',
    params: [param('subscriptionId', subscriptionIdSchema, 'id that subscribing gave')],
    result: z.boolean(),
    errors: ['SUBSCRIPTIONS_NEED_WEBSOCKET', 'SUBSCRIPTION_NOT_FOUND'],
    source: SOURCE,
    examples: [{ summary: 'ends it', params: [SUBSCRIPTION_ID], result: true }],
  }),
};
