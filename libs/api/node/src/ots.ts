import { addressCodec, dataCodec, defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT_STATE_ERRORS } from './errors.js';
import { ACCOUNT, BLOCK_HASH, CONTRACT, HEADER, RECEIPT, TRANSACTION, TRANSACTION_HASH } from './examples.js';
import { addressHistorySchema, contractCreatorSchema } from './wire/address-history.js';
import { lenientBlockNumberCodec, lenientBlockReferenceCodec } from './wire/block-reference.js';
import { callTreeEntrySchema, internalOperationSchema } from './wire/call-tree.js';
import { integerOf } from './wire/integer.js';
import { blockDetailsSchema, blockPageSchema } from './wire/otterscan-block.js';

const SOURCE = 'Otterscan and Erigon, "ots"';

/** Transactions of one page at most, as in Erigon. */
const MAX_PAGE_SIZE = 255;

const hash = param('hash', hashCodec, 'hash of the transaction');

const REPLAY_ERRORS = [
  'TRANSACTION_NOT_FOUND',
  'GENESIS_NOT_TRACEABLE',
  ...ACCOUNT_STATE_ERRORS,
  'TRANSACTION_MANAGER_UNAVAILABLE',
  'EXECUTION_TIMEOUT',
  'RESPONSE_TOO_LARGE',
] as const;

const OTTERSCAN_BLOCK = { ...HEADER, size: '0x273', uncles: [], logsBloom: null, transactionCount: 1 };
/** With which reasons a read of the index by address may be refused. */
const INDEX_ERRORS = ['ADDRESS_INDEX_DISABLED', 'ADDRESS_INDEX_NOT_AVAILABLE'] as const;

const searchParams = [
  param('address', addressCodec, 'account'),
  param('blockNumber', integerOf('block number'), 'which is not searched itself; 0 for all blocks'),
  param('pageSize', integerOf('size of a page', MAX_PAGE_SIZE).min(1), `1 to ${MAX_PAGE_SIZE}`),
] as const;

const HISTORY = {
  txs: [TRANSACTION],
  receipts: [{ ...RECEIPT, timestamp: 1_759_880_176 }],
  firstPage: true,
  lastPage: true,
};

const DETAILS = {
  block: OTTERSCAN_BLOCK,
  issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
  totalFees: '0x0',
};

/** What the explorer Otterscan asks beyond the Ethereum execution API. */
export const otsMethods = {
  ots_getApiLevel: defineMethod({
    summary: 'Version of these methods, which Otterscan compares with the one that it needs.',
    params: [],
    result: z.int().positive(),
    source: SOURCE,
    examples: [{ summary: 'of this node', params: [], result: 8 }],
  }),
  ots_hasCode: defineMethod({
    summary: 'Whether an account has code.',
    params: [
      param('address', addressCodec, 'account'),
      param('block', lenientBlockReferenceCodec, 'height, tag or hash'),
    ],
    result: z.boolean(),
    errors: ACCOUNT_STATE_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of a contract', params: [CONTRACT, 'latest'], result: true }],
  }),
  ots_getInternalOperations: defineMethod({
    summary: 'Transfers of wei, creations and self-destructions that contracts made in a transaction.',
    params: [hash],
    result: z.array(internalOperationSchema),
    errors: REPLAY_ERRORS,
    source: `${SOURCE}; without those that were reverted`,
    examples: [
      {
        summary: 'of a contract that pays',
        params: [TRANSACTION_HASH],
        result: [{ type: 0, from: CONTRACT, to: ACCOUNT, value: '0x5' }],
      },
    ],
  }),
  ots_traceTransaction: defineMethod({
    summary: 'Calls of a transaction with their depths.',
    params: [hash],
    result: z.array(callTreeEntrySchema),
    errors: REPLAY_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'of a call',
        params: [TRANSACTION_HASH],
        result: [
          {
            type: 'CALL',
            depth: 0,
            from: ACCOUNT,
            to: CONTRACT,
            value: '0x0',
            input: '0xa9059cbb',
            output: '0x',
          },
          {
            type: 'STATICCALL',
            depth: 1,
            from: CONTRACT,
            to: ACCOUNT,
            value: null,
            input: '0x',
            output: '0x',
          },
        ],
      },
    ],
  }),
  ots_getTransactionError: defineMethod({
    summary: 'What a transaction returned when it was reverted; empty for any other.',
    params: [hash],
    result: dataCodec,
    errors: REPLAY_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of one that succeeded', params: [TRANSACTION_HASH], result: '0x' }],
  }),
  ots_getBlockDetails: defineMethod({
    summary:
      'A block by height without its transactions, with its reward and fees; null when it does not exist.',
    params: [param('block', lenientBlockNumberCodec, 'height or tag')],
    result: blockDetailsSchema.nullable(),
    errors: ['PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'of block 16', params: [16], result: DETAILS }],
  }),
  ots_getBlockDetailsByHash: defineMethod({
    summary: 'The same by the hash of the block.',
    params: [param('blockHash', hashCodec, 'hash of the block')],
    result: blockDetailsSchema.nullable(),
    errors: ['PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'of a known block', params: [BLOCK_HASH], result: DETAILS }],
  }),
  ots_searchTransactionsBefore: defineMethod({
    summary:
      'Transactions of an address in blocks before a block, the newest first: sent, received, created, called or moving a token of it.',
    params: searchParams,
    result: addressHistorySchema,
    errors: [...INDEX_ERRORS, 'PRIVATE_STATE_NOT_AVAILABLE', 'RESPONSE_TOO_LARGE'],
    source: `${SOURCE}; whole blocks, but at most 1,000 transactions beyond the size of the page`,
    examples: [{ summary: 'the newest', params: [ACCOUNT, 0, 25], result: HISTORY }],
  }),
  ots_searchTransactionsAfter: defineMethod({
    summary: 'The same in blocks after a block, the newest first.',
    params: searchParams,
    result: addressHistorySchema,
    errors: [...INDEX_ERRORS, 'PRIVATE_STATE_NOT_AVAILABLE', 'RESPONSE_TOO_LARGE'],
    source: `${SOURCE}; whole blocks, but at most 1,000 transactions beyond the size of the page`,
    examples: [{ summary: 'the oldest', params: [ACCOUNT, 0, 25], result: HISTORY }],
  }),
  ots_getTransactionBySenderAndNonce: defineMethod({
    summary: 'Hash of the mined transaction of a sender with a nonce, null when there is none.',
    params: [param('sender', addressCodec, 'account'), param('nonce', integerOf('nonce'), 'from 0 on')],
    result: hashCodec.nullable(),
    errors: INDEX_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'the first', params: [ACCOUNT, 0], result: TRANSACTION_HASH }],
  }),
  ots_getContractCreator: defineMethod({
    summary: 'Transaction and account that created a contract, null for an account that is not a contract.',
    params: [param('address', addressCodec, 'contract')],
    result: contractCreatorSchema.nullable(),
    errors: [...INDEX_ERRORS, ...REPLAY_ERRORS],
    source: SOURCE,
    examples: [
      { summary: 'of a contract', params: [CONTRACT], result: { hash: TRANSACTION_HASH, creator: ACCOUNT } },
    ],
  }),
  ots_getBlockTransactions: defineMethod({
    summary:
      'A page of the transactions of a block and their receipts; page 0 has the last ones. Null as above.',
    params: [
      param('block', lenientBlockNumberCodec, 'height or tag'),
      param('pageNumber', integerOf('number of the page'), 'from 0 on'),
      param('pageSize', integerOf('size of a page', MAX_PAGE_SIZE).min(1), `1 to ${MAX_PAGE_SIZE}`),
    ],
    result: blockPageSchema.nullable(),
    errors: ['PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [
      {
        summary: 'the last of block 16',
        params: [16, 0, 1],
        result: {
          fullblock: { ...OTTERSCAN_BLOCK, transactions: [TRANSACTION] },
          receipts: [{ ...RECEIPT, logs: null, logsBloom: null }],
        },
      },
    ],
  }),
};
