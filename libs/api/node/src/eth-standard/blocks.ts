import { defineMethod, hashCodec, indexCodec, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { BLOCK, BLOCK_HASH, RECEIPT, TRANSACTION } from '../examples.js';
import { blockNumberOrTagCodec, blockReferenceCodec } from '../wire/block-reference.js';
import { blockCodec } from '../wire/block.js';
import { receiptCodec } from '../wire/receipt.js';

const SOURCE = 'Ethereum execution API, "block"';

const byHash = param('blockHash', hashCodec, 'hash of the block');
const byNumber = param('block', blockNumberOrTagCodec, 'height or tag');
const hydrated = optionalParam(
  'hydrated',
  z.boolean(),
  'true for whole transactions, false for their hashes',
);
const uncleIndex = param('uncleIndex', indexCodec, 'position among the uncles');

const noUncles = 'BFT and raft consensus have no uncles';

/** Reads of whole blocks. An unknown block is null, not an error. */
export const ethBlockMethods = {
  eth_getBlockByHash: defineMethod({
    summary: 'Block by its hash, null when it is unknown.',
    params: [byHash, hydrated],
    result: blockCodec.nullable(),
    source: SOURCE,
    examples: [
      { summary: 'with hashes of transactions', params: [BLOCK_HASH, false], result: BLOCK },
      { summary: 'of an unknown hash', params: [BLOCK_HASH, false], result: null },
    ],
  }),
  eth_getBlockByNumber: defineMethod({
    summary: 'Block by its height or tag, null when it does not exist yet.',
    params: [byNumber, hydrated],
    result: blockCodec.nullable(),
    source: SOURCE,
    examples: [
      { summary: 'with hashes of transactions', params: ['0x10', false], result: BLOCK },
      {
        summary: 'with whole transactions',
        params: ['latest', true],
        result: { ...BLOCK, transactions: [TRANSACTION] },
      },
    ],
  }),
  eth_getBlockTransactionCountByHash: defineMethod({
    summary: 'Number of transactions in a block, null when the block is unknown.',
    params: [byHash],
    result: indexCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'of a block with one', params: [BLOCK_HASH], result: '0x1' }],
  }),
  eth_getBlockTransactionCountByNumber: defineMethod({
    summary: 'Number of transactions in a block, null when the block does not exist yet.',
    params: [byNumber],
    result: indexCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'of the pending block', params: ['pending'], result: '0x3' }],
  }),
  eth_getUncleCountByBlockHash: defineMethod({
    summary: `Number of uncles of a block, null when the block is unknown; ${noUncles}.`,
    params: [byHash],
    result: indexCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'of any block', params: [BLOCK_HASH], result: '0x0' }],
  }),
  eth_getUncleCountByBlockNumber: defineMethod({
    summary: `Number of uncles of a block, null when the block does not exist yet; ${noUncles}.`,
    params: [byNumber],
    result: indexCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'of any block', params: ['latest'], result: '0x0' }],
  }),
  eth_getUncleByBlockHashAndIndex: defineMethod({
    summary: `Always null: ${noUncles}.`,
    params: [byHash, uncleIndex],
    result: blockCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'of any block', params: [BLOCK_HASH, '0x0'], result: null }],
  }),
  eth_getUncleByBlockNumberAndIndex: defineMethod({
    summary: `Always null: ${noUncles}.`,
    params: [byNumber, uncleIndex],
    result: blockCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'of any block', params: ['latest', '0x0'], result: null }],
  }),
  eth_getBlockReceipts: defineMethod({
    summary: 'Receipts of all transactions of a block, null when the block is unknown.',
    params: [param('block', blockReferenceCodec, 'height, tag or hash')],
    result: z.array(receiptCodec).nullable(),
    errors: ['PRIVATE_STATE_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'of a block with one transaction', params: [BLOCK_HASH], result: [RECEIPT] }],
  }),
};
