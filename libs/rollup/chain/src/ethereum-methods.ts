import {
  addressCodec,
  dataCodec,
  defineMethod,
  hashCodec,
  indexCodec,
  optionalParam,
  param,
  quantityCodec,
  uint64Codec,
} from '@tetrad/rpc';
import { z } from 'zod';

/** The methods used of an Ethereum client, any with the execution API. Fields that are not needed are not checked. */

const SOURCE = 'Ethereum execution API';
const common = { source: SOURCE, examples: [] } as const;

/** A block by its number, or by what it is to the client. */
const blockTag = z.union([z.enum(['latest', 'pending', 'earliest']), indexCodec]);

/** Whose state is meant: also that of a block by its hash (EIP-1898), which is one state however often it is asked about. */
const stateTag = z.union([blockTag, z.object({ blockHash: hashCodec })]);

const blockSchema = z.object({
  number: indexCodec,
  hash: hashCodec,
  timestamp: indexCodec,
  gasLimit: quantityCodec.nullish(),
  baseFeePerGas: quantityCodec.nullish(),
});

const logSchema = z.object({
  address: addressCodec,
  topics: z.array(hashCodec).max(4),
  data: z.string(),
  blockNumber: indexCodec,
  blockHash: hashCodec,
  transactionHash: hashCodec,
  logIndex: indexCodec,
  removed: z.boolean().optional(),
});

const receiptSchema = z.object({
  transactionHash: hashCodec,
  blockNumber: indexCodec,
  blockHash: hashCodec,
  status: indexCodec,
  gasUsed: quantityCodec,
  contractAddress: addressCodec.nullish(),
});

/** What was sent; those who only ask whether it is there need no more than the hash. */
const transactionSchema = z.object({
  hash: hashCodec,
  blockNumber: indexCodec.nullish(),
  from: addressCodec.nullish(),
  to: addressCodec.nullish(),
  nonce: indexCodec.nullish(),
  input: dataCodec.nullish(),
});

const fullBlockSchema = blockSchema.extend({ transactions: z.array(transactionSchema) });

const callSchema = z.object({
  from: addressCodec.optional(),
  to: addressCodec.optional(),
  data: dataCodec,
  value: quantityCodec.optional(),
  gas: quantityCodec.optional(),
});

export type EthereumLog = z.output<typeof logSchema>;
export type EthereumBlock = z.output<typeof blockSchema>;
export type EthereumFullBlock = z.output<typeof fullBlockSchema>;
export type EthereumReceipt = z.output<typeof receiptSchema>;
export type EthereumTransaction = z.output<typeof transactionSchema>;
export type EthereumCall = z.output<typeof callSchema>;

export const ethereumMethods = {
  eth_chainId: defineMethod({ ...common, summary: 'The chain', params: [], result: quantityCodec }),
  eth_blockNumber: defineMethod({
    ...common,
    summary: 'Number of the latest block',
    params: [],
    result: indexCodec,
  }),
  eth_getBlockByNumber: defineMethod({
    ...common,
    summary: 'A block without its transactions',
    params: [param('block', blockTag, 'which'), param('full', z.boolean(), 'with transactions')],
    result: blockSchema.nullable(),
  }),
  eth_getBlockByHash: defineMethod({
    ...common,
    summary: 'A block with its transactions',
    params: [param('hash', hashCodec, 'which'), param('full', z.literal(true), 'with transactions')],
    result: fullBlockSchema.nullable(),
  }),
  eth_getLogs: defineMethod({
    ...common,
    summary: 'Logs of a contract',
    params: [
      param(
        'filter',
        z.object({
          address: addressCodec,
          fromBlock: indexCodec,
          toBlock: indexCodec,
          topics: z.array(hashCodec).max(4).optional(),
        }),
        'range of blocks, both ends included, and the topics that logs begin with',
      ),
    ],
    result: z.array(logSchema),
  }),
  eth_getTransactionReceipt: defineMethod({
    ...common,
    summary: 'What became of a transaction',
    params: [param('hash', hashCodec, 'which')],
    result: receiptSchema.nullable(),
  }),
  eth_getTransactionByHash: defineMethod({
    ...common,
    summary: 'A transaction that is mined or pending',
    params: [param('hash', hashCodec, 'which')],
    result: transactionSchema.nullable(),
  }),
  eth_getTransactionCount: defineMethod({
    ...common,
    summary: 'Nonce of the next transaction',
    params: [param('address', addressCodec, 'whose'), param('block', stateTag, 'when')],
    result: indexCodec,
  }),
  eth_getBalance: defineMethod({
    ...common,
    summary: 'Wei of an account',
    params: [param('address', addressCodec, 'whose'), param('block', stateTag, 'when')],
    result: quantityCodec,
  }),
  eth_getCode: defineMethod({
    ...common,
    summary: 'Code of a contract',
    params: [param('address', addressCodec, 'where'), param('block', stateTag, 'when')],
    result: dataCodec,
  }),
  eth_call: defineMethod({
    ...common,
    summary: 'What a call would return',
    params: [param('call', callSchema, 'the call'), param('block', stateTag, 'when')],
    result: dataCodec,
  }),
  eth_estimateGas: defineMethod({
    ...common,
    summary: 'Gas that a transaction needs',
    params: [param('call', callSchema, 'the transaction'), optionalParam('block', blockTag, 'when')],
    result: uint64Codec,
  }),
  eth_gasPrice: defineMethod({
    ...common,
    summary: 'What others pay for gas',
    params: [],
    result: quantityCodec,
  }),
  eth_sendRawTransaction: defineMethod({
    ...common,
    summary: 'Submits a signed transaction',
    params: [param('transaction', dataCodec, 'its envelope')],
    result: hashCodec,
  }),
} as const;
