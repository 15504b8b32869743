import { addressCodec, dataCodec, defineMethod, hashCodec, param, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';

const SOURCE = 'Ethereum execution API';

/** Clients put more into their answers than is read here. */
const logCodec = z.looseObject({
  address: addressCodec,
  topics: z.array(hashCodec).max(4),
  data: z.string(),
  blockNumber: quantityCodec,
  logIndex: quantityCodec,
  transactionHash: hashCodec,
});
const receiptCodec = z.looseObject({
  status: quantityCodec,
  blockNumber: quantityCodec,
  blockHash: hashCodec,
  logs: z.array(logCodec),
});
const callSchema = z.object({
  from: addressCodec.optional(),
  to: addressCodec,
  data: dataCodec,
  value: quantityCodec.optional(),
});

export type EthereumLog = z.output<typeof logCodec>;
export type EthereumReceipt = z.output<typeof receiptCodec>;
export type EthereumCall = z.output<typeof callSchema>;

const filterSchema = z.object({
  address: addressCodec,
  fromBlock: quantityCodec,
  toBlock: quantityCodec,
  topics: z.array(hashCodec.nullable()),
});

const call = param('call', callSchema, 'what is called');
const block = param('block', z.union([z.literal('latest'), quantityCodec]), 'state after this block');

const simple = <Schema extends z.ZodType>(result: Schema) =>
  defineMethod({ summary: '', params: [], result, source: SOURCE, examples: [] });

/** What the client asks of an Ethereum client, whichever it is. */
export const ethereumMethods = {
  eth_chainId: simple(quantityCodec),
  eth_blockNumber: simple(quantityCodec),
  eth_gasPrice: simple(quantityCodec),
  eth_call: defineMethod({
    summary: 'Executes a call without a transaction.',
    params: [call, block],
    result: dataCodec,
    source: SOURCE,
    examples: [],
  }),
  eth_estimateGas: defineMethod({
    summary: 'Gas that a transaction takes.',
    params: [call],
    result: quantityCodec,
    source: SOURCE,
    examples: [],
  }),
  eth_getTransactionCount: defineMethod({
    summary: 'Next nonce of an account.',
    params: [
      param('address', addressCodec, 'account'),
      param('block', z.literal('pending'), 'with the pool'),
    ],
    result: quantityCodec,
    source: SOURCE,
    examples: [],
  }),
  eth_getLogs: defineMethod({
    summary: 'Events of a range of blocks.',
    params: [param('filter', filterSchema, 'contract, range and topics')],
    result: z.array(logCodec),
    source: SOURCE,
    examples: [],
  }),
  eth_sendRawTransaction: defineMethod({
    summary: 'Submits a signed transaction.',
    params: [param('transaction', dataCodec, 'signed envelope')],
    result: hashCodec,
    source: SOURCE,
    examples: [],
  }),
  eth_getTransactionReceipt: defineMethod({
    summary: 'What became of a transaction; null before it is mined.',
    params: [param('hash', hashCodec, 'transaction')],
    result: receiptCodec.nullable(),
    source: SOURCE,
    examples: [],
  }),
};
