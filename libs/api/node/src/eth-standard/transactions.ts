import { addressCodec, dataCodec, defineMethod, hashCodec, indexCodec, param } from '@tetrad/rpc';
import {
  ACCOUNT,
  BLOCK_HASH,
  PENDING_TRANSACTION,
  RECEIPT,
  RECIPIENT,
  TRANSACTION,
  TRANSACTION_HASH,
} from '../examples.js';
import { ACCOUNT_ERRORS, DECODE_ERRORS, POOL_ERRORS } from '../errors.js';
import { integersInTransaction } from '../tolerances.js';
import { blockNumberOrTagCodec } from '../wire/block-reference.js';
import { filledTransactionCodec } from '../wire/filled-transaction.js';
import { receiptCodec } from '../wire/receipt.js';
import { sendRequestCodec } from '../wire/send-request.js';
import { transactionCodec } from '../wire/transaction.js';

const SOURCE = 'Ethereum execution API, "transaction"';
const SIGN = 'Ethereum execution API, "sign"';

const hash = param('hash', hashCodec, 'hash of the transaction');
const index = param('transactionIndex', indexCodec, 'position in the block');

/** Reads of transactions, submission, and signing with the accounts of the node. */
export const ethTransactionMethods = {
  eth_getTransactionByHash: defineMethod({
    summary: 'Mined or pending transaction, null when it is unknown.',
    params: [hash],
    result: transactionCodec.nullable(),
    source: SOURCE,
    examples: [
      { summary: 'mined', params: [TRANSACTION_HASH], result: TRANSACTION },
      { summary: 'pending', params: [TRANSACTION_HASH], result: PENDING_TRANSACTION },
      { summary: 'unknown', params: [TRANSACTION_HASH], result: null },
    ],
  }),
  eth_getTransactionByBlockHashAndIndex: defineMethod({
    summary: 'Transaction at a position of a block, null when it does not exist.',
    params: [param('blockHash', hashCodec, 'hash of the block'), index],
    result: transactionCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'the first', params: [BLOCK_HASH, '0x0'], result: TRANSACTION }],
  }),
  eth_getTransactionByBlockNumberAndIndex: defineMethod({
    summary: 'Transaction at a position of a block, null when it does not exist.',
    params: [param('block', blockNumberOrTagCodec, 'height or tag'), index],
    result: transactionCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'the first of the latest block', params: ['latest', '0x0'], result: TRANSACTION }],
  }),
  eth_getTransactionReceipt: defineMethod({
    summary: 'Receipt of a mined transaction, null while it is pending or unknown.',
    params: [hash],
    result: receiptCodec.nullable(),
    errors: ['PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [
      { summary: 'of a mined transaction', params: [TRANSACTION_HASH], result: RECEIPT },
      { summary: 'of a pending transaction', params: [TRANSACTION_HASH], result: null },
    ],
  }),
  eth_sendRawTransaction: defineMethod({
    summary: 'Submits a signed transaction; answered once the pool has stored it durably.',
    params: [param('transaction', dataCodec, 'signed transaction: EIP-2718 envelope or RLP list')],
    result: hashCodec,
    errors: [...DECODE_ERRORS, ...POOL_ERRORS],
    source: 'Ethereum execution API, "submit"',
    examples: [{ summary: 'submits a transfer', params: ['0x02f86482053980'], result: TRANSACTION_HASH }],
  }),
  eth_sign: defineMethod({
    summary: 'Signs a message with the Ethereum prefix (EIP-191) by an account of the node.',
    params: [param('address', addressCodec, 'account of the node'), param('message', dataCodec, 'message')],
    result: dataCodec,
    errors: ACCOUNT_ERRORS,
    source: SIGN,
    examples: [
      { summary: 'signs four bytes', params: [ACCOUNT, '0xdeadbeaf'], result: `0x${'a3'.repeat(64)}1b` },
    ],
  }),
  eth_signTransaction: defineMethod({
    summary:
      'Signs a transaction by an account of the node without submitting it; gas, gas price and nonce are needed.',
    params: [param('transaction', sendRequestCodec, 'transaction to sign')],
    result: filledTransactionCodec,
    errors: [
      ...ACCOUNT_ERRORS,
      'GAS_NOT_SPECIFIED',
      'GAS_PRICE_NOT_SPECIFIED',
      'NONCE_NOT_SPECIFIED',
      'INVALID_CHAIN_ID',
      'EMPTY_CONTRACT_CREATION',
      'INVALID_PAYLOAD_HASH',
    ],
    accepts: [integersInTransaction(0)],
    source: SIGN,
    examples: [
      {
        summary: 'signs a transfer',
        params: [
          { from: ACCOUNT, to: RECIPIENT, value: '0x1', gas: '0x5208', gasPrice: '0x0', nonce: '0x8' },
        ],
        result: {
          raw: '0xf86408',
          tx: {
            type: '0x0',
            nonce: '0x8',
            gasPrice: '0x0',
            gas: '0x5208',
            value: '0x1',
            input: '0x',
            v: '0xa95',
            r: '0x5b2b6e380da44241ecd30b21bd56f05da80e217a6347dfe06b0fb00b2e4adc14',
            s: '0x48c4f0255bdb5526171b0a771e61b9f44b3c3fca2feffae04d1748297726ca0f',
            to: RECIPIENT,
            hash: TRANSACTION_HASH,
          },
        },
      },
    ],
  }),
};
