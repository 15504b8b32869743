import { defineMethod, hashCodec, param } from '@tetrad/rpc';
import { BLOCK_HASH, HEADER } from '../examples.js';
import { blockNumberOrTagCodec } from '../wire/block-reference.js';
import { headerCodec } from '../wire/block.js';

const SOURCE = 'go-ethereum, "eth"';

/** Reads of headers alone. An unknown block is null, not an error. */
export const ethHeaderMethods = {
  eth_getHeaderByHash: defineMethod({
    summary: 'Header by the hash of its block, null when it is unknown.',
    params: [param('blockHash', hashCodec, 'hash of the block')],
    result: headerCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'of a known block', params: [BLOCK_HASH], result: HEADER }],
  }),
  eth_getHeaderByNumber: defineMethod({
    summary: 'Header by height or tag, null when the block does not exist yet.',
    params: [param('block', blockNumberOrTagCodec, 'height or tag')],
    result: headerCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'of the latest block', params: ['latest'], result: HEADER }],
  }),
};
