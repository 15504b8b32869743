import { dataCodec, defineMethod, hashCodec, indexCodec, param } from '@tetrad/rpc';
import { BLOCK_HASH, TRANSACTION_HASH } from '../examples.js';
import { blockNumberOrTagCodec } from '../wire/block-reference.js';

const SOURCE = 'go-ethereum, "eth"';
const RAW = '0x02f86482053980';

const index = param('transactionIndex', indexCodec, 'position in the block');

/** Transactions as they were submitted; empty bytes for one that is unknown, as geth answers. */
export const ethRawTransactionMethods = {
  eth_getRawTransactionByHash: defineMethod({
    summary: 'Mined or pending transaction as it was submitted, empty when it is unknown.',
    params: [param('hash', hashCodec, 'hash of the transaction')],
    result: dataCodec,
    source: SOURCE,
    examples: [{ summary: 'of a transfer', params: [TRANSACTION_HASH], result: RAW }],
  }),
  eth_getRawTransactionByBlockHashAndIndex: defineMethod({
    summary: 'Transaction at a position of a block as it was submitted, empty when it does not exist.',
    params: [param('blockHash', hashCodec, 'hash of the block'), index],
    result: dataCodec,
    source: SOURCE,
    examples: [{ summary: 'the first', params: [BLOCK_HASH, '0x0'], result: RAW }],
  }),
  eth_getRawTransactionByBlockNumberAndIndex: defineMethod({
    summary: 'Transaction at a position of a block as it was submitted, empty when it does not exist.',
    params: [param('block', blockNumberOrTagCodec, 'height or tag'), index],
    result: dataCodec,
    source: SOURCE,
    examples: [{ summary: 'the first of the latest block', params: ['latest', '0x0'], result: RAW }],
  }),
};
