import { defineMethod, hashCodec, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { BLOCK_HASH, CONTRACT, LOG, TOPIC, TRANSACTION_HASH } from '../examples.js';
import { logCodec } from '../wire/log.js';
import { logCriteriaCodec } from '../wire/log-criteria.js';

const SOURCE = 'Ethereum execution API, "filter"';
const SUBSCRIBE = 'Ethereum execution API, "subscribe"; WebSocket only';

const filterIdSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,32}$/, 'must be a filter id: 0x and at most 32 hex digits');
const filterId = param('filterId', filterIdSchema, 'id that creating the filter gave');
const criteria = param('filter', logCriteriaCodec, 'blocks, emitters and topics');
const logsSchema = z.array(logCodec);

const LOG_ERRORS = [
  'BLOCK_NOT_FOUND',
  'INVALID_LOG_RANGE',
  'LOG_LIMIT_EXCEEDED',
  'RESPONSE_TOO_LARGE',
  'PRIVATE_STATE_NOT_AVAILABLE',
] as const;
const FILTER_ID = '0x2f9a1c5e7b3d4f60';

const SUBSCRIPTIONS = [
  'newHeads',
  'logs',
  'newPendingTransactions',
  'syncing',
  'transactionReceipts',
] as const;

export type SubscriptionKind = (typeof SUBSCRIPTIONS)[number];

/** As many as geth takes. */
const MAX_RECEIPT_HASHES = 200;

/** Which receipts a subscription is about. */
const receiptsQuerySchema = z.strictObject({
  transactionHashes: z
    .array(hashCodec)
    .max(MAX_RECEIPT_HASHES, `must have at most ${MAX_RECEIPT_HASHES} hashes`)
    .nullable(),
});

export type ReceiptsQuery = z.output<typeof receiptsQuerySchema>;

/** Logs by query, by polling and by subscription. */
export const ethFilterMethods = {
  eth_getLogs: defineMethod({
    summary: 'Logs of a range of blocks or of one block that match the filter.',
    params: [criteria],
    result: logsSchema,
    errors: LOG_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'of one contract',
        params: [{ fromBlock: '0x0', toBlock: 'latest', address: CONTRACT, topics: [[TOPIC], null] }],
        result: [LOG],
      },
      { summary: 'of one block', params: [{ blockHash: BLOCK_HASH }], result: [] },
    ],
  }),
  eth_newFilter: defineMethod({
    summary: 'Starts to collect logs for eth_getFilterChanges.',
    params: [criteria],
    result: filterIdSchema,
    errors: ['INVALID_LOG_RANGE', 'TOO_MANY_FILTERS'],
    source: SOURCE,
    examples: [{ summary: 'of one contract', params: [{ address: [CONTRACT] }], result: FILTER_ID }],
  }),
  eth_newBlockFilter: defineMethod({
    summary: 'Starts to collect hashes of new blocks for eth_getFilterChanges.',
    params: [],
    result: filterIdSchema,
    errors: ['TOO_MANY_FILTERS'],
    source: SOURCE,
    examples: [{ summary: 'starts a filter', params: [], result: FILTER_ID }],
  }),
  eth_newPendingTransactionFilter: defineMethod({
    summary: 'Starts to collect hashes of transactions that enter the pool, for eth_getFilterChanges.',
    params: [],
    result: filterIdSchema,
    errors: ['TOO_MANY_FILTERS'],
    source: SOURCE,
    examples: [{ summary: 'starts a filter', params: [], result: FILTER_ID }],
  }),
  eth_getFilterChanges: defineMethod({
    summary: 'What a filter has collected since the last call: hashes, or logs.',
    params: [filterId],
    result: z.union([z.array(hashCodec), logsSchema]),
    errors: ['FILTER_NOT_FOUND', 'LOG_LIMIT_EXCEEDED', 'RESPONSE_TOO_LARGE', 'PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [
      { summary: 'of a block filter', params: [FILTER_ID], result: [BLOCK_HASH] },
      { summary: 'of a log filter', params: [FILTER_ID], result: [LOG] },
    ],
  }),
  eth_getFilterLogs: defineMethod({
    summary: 'All logs that match a log filter, also those from before it was made.',
    params: [filterId],
    result: logsSchema,
    errors: ['FILTER_NOT_FOUND', ...LOG_ERRORS],
    source: SOURCE,
    examples: [{ summary: 'reads them', params: [FILTER_ID], result: [LOG] }],
  }),
  eth_uninstallFilter: defineMethod({
    summary: 'Ends a filter; false when no filter has the id.',
    params: [filterId],
    result: z.boolean(),
    source: SOURCE,
    examples: [{ summary: 'ends it', params: [FILTER_ID], result: true }],
  }),
  eth_subscribe: defineMethod({
    summary: 'Starts a subscription on this WebSocket; the id returned is in every notification.',
    params: [
      param('kind', z.enum(SUBSCRIPTIONS), 'events to subscribe to'),
      optionalParam(
        'options',
        z.union([z.boolean(), receiptsQuerySchema, logCriteriaCodec]),
        'for logs the emitters and topics; for pending transactions true to get them whole; for receipts the hashes ' +
          'of the transactions, all when left out',
      ),
    ],
    result: filterIdSchema,
    errors: ['SUBSCRIPTIONS_NEED_WEBSOCKET', 'TOO_MANY_SUBSCRIPTIONS'],
    source: SUBSCRIBE,
    examples: [
      { summary: 'to new heads', params: ['newHeads'], result: FILTER_ID },
      {
        summary: 'to logs of a contract',
        params: ['logs', { address: CONTRACT, topics: [] }],
        result: FILTER_ID,
      },
      { summary: 'to the sync state', params: ['syncing'], result: FILTER_ID },
      {
        summary: 'to the receipt of a transaction',
        params: ['transactionReceipts', { transactionHashes: [TRANSACTION_HASH] }],
        result: FILTER_ID,
      },
      {
        summary: 'to whole pending transactions',
        params: ['newPendingTransactions', true],
        result: FILTER_ID,
      },
    ],
  }),
  eth_unsubscribe: defineMethod({
    summary: 'Ends a subscription of this WebSocket.',
    params: [param('subscriptionId', filterIdSchema, 'id that eth_subscribe gave')],
    result: z.boolean(),
    errors: ['SUBSCRIPTIONS_NEED_WEBSOCKET', 'SUBSCRIPTION_NOT_FOUND'],
    source: SUBSCRIBE,
    examples: [{ summary: 'ends it', params: [FILTER_ID], result: true }],
  }),
};
