import { defineMethod, param } from '@tetrad/rpc';
import { HEADER } from './examples.js';
import { lenientBlockNumberCodec } from './wire/block-reference.js';
import { headerCodec } from './wire/block.js';

/** What explorers ask of Erigon alone. */
export const erigonMethods = {
  erigon_getHeaderByNumber: defineMethod({
    summary:
      'Header by height or tag, null when the block does not exist yet: eth_getHeaderByNumber of Erigon.',
    params: [param('block', lenientBlockNumberCodec, 'height or tag')],
    result: headerCodec.nullable(),
    source: 'Erigon, "erigon"',
    examples: [{ summary: 'of the latest block', params: ['latest'], result: HEADER }],
  }),
};
