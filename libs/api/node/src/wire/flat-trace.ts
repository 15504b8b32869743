import { addressCodec, dataCodec, hashCodec, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';

/** Members of every entry, whatever it records. */
const members = {
  /** Absent when it did not fail. In OpenEthereum's words where that had some (`Reverted`, `Out of gas`). */
  error: z.string().optional(),
  /** Number of entries that this one made itself. */
  subtraces: z.int().nonnegative(),
  /** Index among the entries of its parent, behind that of the parent; empty for the transaction itself. */
  traceAddress: z.array(z.int().nonnegative()).readonly(),
};

const callSchema = z.object({
  type: z.literal('call'),
  action: z.object({
    from: addressCodec,
    callType: z.enum(['call', 'callcode', 'delegatecall', 'staticcall']),
    gas: quantityCodec,
    input: dataCodec,
    to: addressCodec,
    value: quantityCodec,
  }),
  /** Null when it failed without returning anything. */
  result: z.object({ gasUsed: quantityCodec, output: dataCodec }).nullable(),
  ...members,
});

const createSchema = z.object({
  type: z.literal('create'),
  action: z.object({
    from: addressCodec,
    creationMethod: z.enum(['create', 'create2']),
    gas: quantityCodec,
    init: dataCodec,
    value: quantityCodec,
  }),
  /** Null when it failed without returning anything; `code` is what a revert returned otherwise. */
  result: z.object({ address: addressCodec.optional(), code: dataCodec, gasUsed: quantityCodec }).nullable(),
  ...members,
});

const suicideSchema = z.object({
  type: z.literal('suicide'),
  action: z.object({ address: addressCodec, refundAddress: addressCodec, balance: quantityCodec }),
  result: z.null(),
  ...members,
});

const rewardSchema = z.object({
  type: z.literal('reward'),
  action: z.object({ author: addressCodec, rewardType: z.literal('block'), value: quantityCodec }),
  result: z.null(),
  ...members,
});

/** A call, creation or self-destruction of an execution, in the form of OpenEthereum, Erigon and Besu. */
export const flatTraceCodec = z.discriminatedUnion('type', [callSchema, createSchema, suicideSchema]);

export type FlatTrace = z.output<typeof flatTraceCodec>;

const block = { blockHash: hashCodec, blockNumber: z.int().nonnegative() };
const place = { ...block, transactionHash: hashCodec, transactionPosition: z.int().nonnegative() };

/** The same with its place in the chain, or the reward of a block. */
export const placedTraceCodec = z.discriminatedUnion('type', [
  callSchema.extend(place),
  createSchema.extend(place),
  suicideSchema.extend(place),
  rewardSchema.extend(block),
]);

export type PlacedTrace = z.output<typeof placedTraceCodec>;
