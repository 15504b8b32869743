import {
  addressCodec,
  defineMethod,
  hashCodec,
  indexCodec,
  quantityCodec,
  param,
  optionalParam,
} from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, BLOCK_HASH } from '../examples.js';
import { blockNumberOrTagCodec } from '../wire/block-reference.js';
import { integersAt } from '../tolerances.js';

const CLIENT = 'Ethereum execution API, "client" and "mining"';
const FEES = 'Ethereum execution API, "fee market"';

const syncStatusSchema = z.union([
  z.literal(false),
  z.object({ startingBlock: indexCodec, currentBlock: indexCodec, highestBlock: indexCodec }),
]);

/** Shares between 0 and 1 are JSON numbers; wei are quantities. */
const feeHistoryCodec = z.object({
  oldestBlock: indexCodec,
  /** One more than blocks: the last is that of the next block. */
  baseFeePerGas: z.array(quantityCodec),
  gasUsedRatio: z.array(z.number()),
  baseFeePerBlobGas: z.array(quantityCodec).optional(),
  blobGasUsedRatio: z.array(z.number()).optional(),
  reward: z.array(z.array(quantityCodec)).optional(),
});

export type FeeHistory = z.output<typeof feeHistoryCodec>;

const percentilesSchema = z
  .array(z.number().min(0).max(100))
  .max(100)
  .refine((values) => values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0)), {
    message: 'must ascend',
  });

/** Which blocks have data of one kind on this node. */
const keptBlocksCodec = z.object({
  disabled: z.boolean(),
  oldestBlock: indexCodec,
  /** Absent where nothing is removed. */
  deleteStrategy: z.object({ type: z.literal('window'), retentionBlocks: indexCodec }).optional(),
});

const capabilitiesCodec = z.object({
  head: z.object({ number: indexCodec, hash: hashCodec }),
  state: keptBlocksCodec,
  tx: keptBlocksCodec,
  logs: keptBlocksCodec,
  receipts: keptBlocksCodec,
  blocks: keptBlocksCodec,
  stateproofs: keptBlocksCodec,
});

const WHOLE = { disabled: false, oldestBlock: '0x0' };
const WINDOW = {
  disabled: false,
  oldestBlock: '0x380',
  deleteStrategy: { type: 'window', retentionBlocks: '0x80' },
};

/** What the node is and where its chain stands. */
export const ethChainMethods = {
  eth_chainId: defineMethod({
    summary: 'Chain id, which signatures are bound to.',
    params: [],
    result: quantityCodec,
    source: CLIENT,
    examples: [{ summary: 'reads the chain id', params: [], result: '0x539' }],
  }),
  eth_blockNumber: defineMethod({
    summary: 'Height of the latest block.',
    params: [],
    result: indexCodec,
    source: CLIENT,
    examples: [{ summary: 'reads the height', params: [], result: '0x10' }],
  }),
  eth_capabilities: defineMethod({
    summary:
      'Blocks whose states, transactions, receipts and logs the node has, for routers in front of several nodes.',
    params: [],
    result: capabilitiesCodec,
    source: CLIENT,
    examples: [
      {
        summary: 'of a node that keeps the states of 128 blocks',
        params: [],
        result: {
          head: { number: '0x400', hash: BLOCK_HASH },
          state: WINDOW,
          tx: WHOLE,
          logs: WHOLE,
          receipts: WHOLE,
          blocks: WHOLE,
          stateproofs: WINDOW,
        },
      },
    ],
  }),
  eth_syncing: defineMethod({
    summary: 'False, or how far the node has caught up with its peers.',
    params: [],
    result: syncStatusSchema,
    source: CLIENT,
    examples: [
      { summary: 'when it is in sync with its peers', params: [], result: false },
      {
        summary: 'while it catches up',
        params: [],
        result: { startingBlock: '0x0', currentBlock: '0x10', highestBlock: '0x400' },
      },
    ],
  }),
  eth_mining: defineMethod({
    summary: 'Whether the node proposes blocks.',
    params: [],
    result: z.boolean(),
    source: CLIENT,
    examples: [{ summary: 'on a validator', params: [], result: true }],
  }),
  eth_hashrate: defineMethod({
    summary: 'Always zero: no work is done for a block.',
    params: [],
    result: quantityCodec,
    source: CLIENT,
    examples: [{ summary: 'reads zero', params: [], result: '0x0' }],
  }),
  eth_coinbase: defineMethod({
    summary: 'Address of the node key, under which it proposes blocks.',
    params: [],
    result: addressCodec,
    source: CLIENT,
    examples: [{ summary: 'reads the address', params: [], result: ACCOUNT }],
  }),
  eth_protocolVersion: defineMethod({
    summary: 'Version of the peer protocol.',
    params: [],
    result: indexCodec,
    source: CLIENT,
    examples: [{ summary: 'reads the version', params: [], result: '0x1' }],
  }),
  eth_accounts: defineMethod({
    summary: 'Accounts whose keys the node holds.',
    params: [],
    result: z.array(addressCodec),
    source: CLIENT,
    examples: [{ summary: 'with one key file', params: [], result: [ACCOUNT] }],
  }),
  eth_gasPrice: defineMethod({
    summary: 'Gas price that is sure to be accepted, in wei; zero on a free-gas network.',
    params: [],
    result: quantityCodec,
    source: FEES,
    examples: [{ summary: 'on a free-gas network', params: [], result: '0x0' }],
  }),
  eth_maxPriorityFeePerGas: defineMethod({
    summary: 'Tip that is sure to be accepted, in wei.',
    params: [],
    result: quantityCodec,
    source: FEES,
    examples: [{ summary: 'on a free-gas network', params: [], result: '0x0' }],
  }),
  eth_baseFee: defineMethod({
    summary: 'Base fee per gas of the next block, in wei: zero, as in every block.',
    params: [],
    result: quantityCodec,
    source: FEES,
    examples: [{ summary: 'reads zero', params: [], result: '0x0' }],
  }),
  eth_blobBaseFee: defineMethod({
    summary:
      'Base fee of blob gas, in wei. Blob transactions are not accepted; the value follows the header.',
    params: [],
    result: quantityCodec,
    source: FEES,
    examples: [{ summary: 'without blobs', params: [], result: '0x1' }],
  }),
  eth_feeHistory: defineMethod({
    summary: 'Base fees, use of gas and tips of the last blocks.',
    params: [
      param('blockCount', indexCodec, 'blocks asked for; fewer are given when fewer exist'),
      param('newestBlock', blockNumberOrTagCodec, 'last block of the range'),
      optionalParam(
        'rewardPercentiles',
        percentilesSchema,
        'ascending percentiles of the tips, weighted by gas',
      ),
    ],
    result: feeHistoryCodec,
    errors: ['BLOCK_NOT_FOUND'],
    accepts: [integersAt('go-ethereum reads a JSON number here too', 0)],
    source: FEES,
    examples: [
      {
        summary: 'of one block',
        params: ['0x1', 'latest', [25, 75]],
        result: {
          oldestBlock: '0x10',
          baseFeePerGas: ['0x0', '0x0'],
          gasUsedRatio: [0.25],
          reward: [['0x0', '0x0']],
        },
      },
    ],
  }),
};
