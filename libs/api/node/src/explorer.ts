import { addressCodec, defineMethod, indexCodec, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, CONTRACT, TRANSACTION } from './examples.js';
import { integerOf } from './wire/integer.js';
import { transactionCodec } from './wire/transaction.js';

const SOURCE = 'this project: docs/adr/0275';

/** Members of one page at most. */
const MAX_PAGE_SIZE = 255;

const pageSize = integerOf('size of a page', MAX_PAGE_SIZE).min(1);

const ERRORS = [
  'ADDRESS_INDEX_DISABLED',
  'ADDRESS_INDEX_NOT_AVAILABLE',
  'PRIVATE_STATE_NOT_AVAILABLE',
  'RESPONSE_TOO_LARGE',
] as const;

const privateTransactionsCodec = z.object({
  /** The newest first. */
  transactions: z.array(transactionCodec),
  /** Whether the page has the newest. */
  firstPage: z.boolean(),
  /** Whether it has the oldest. */
  lastPage: z.boolean(),
});

const tokenHoldersCodec = z.object({
  holders: z.array(
    z.object({
      address: addressCodec,
      /** The newest block with a transfer from or to it. */
      blockNumber: z.int().nonnegative(),
    }),
  ),
  /** Transactions that were read for the page. */
  transactionsRead: z.int().nonnegative(),
  /** What to give as `before` for the next page; null when the whole history of the token was read. */
  next: indexCodec.nullable(),
});

/** Lists from the index by address, for explorers. */
export const explorerMethods = {
  explorer_listPrivateTransactions: defineMethod({
    summary:
      'Private transactions and privacy markers of the chain in blocks before a block, the newest first, of all parties.',
    params: [
      param('blockNumber', integerOf('block number'), 'which is not searched itself; 0 for all blocks'),
      param('pageSize', pageSize, `1 to ${MAX_PAGE_SIZE}; a page has whole blocks, and at most 1,000 more`),
    ],
    result: privateTransactionsCodec,
    errors: ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'the newest',
        params: [0, 25],
        result: { transactions: [TRANSACTION], firstPage: true, lastPage: true },
      },
    ],
  }),
  explorer_listTokenHolders: defineMethod({
    summary:
      'Accounts that transfers of a token name, those first that moved it last; what each has, the token says (`balanceOf`).',
    params: [
      param('token', addressCodec, 'contract of ERC-20, ERC-721 or ERC-1155'),
      param('pageSize', pageSize, `1 to ${MAX_PAGE_SIZE}; a page has whole transactions`),
      optionalParam('before', indexCodec, '`next` of the page before; the newest without it'),
    ],
    result: tokenHoldersCodec,
    errors: ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'of a token with one holder',
        params: [CONTRACT, 100],
        result: {
          holders: [{ address: ACCOUNT, blockNumber: 16 }],
          transactionsRead: 2,
          next: null,
        },
      },
    ],
  }),
};
