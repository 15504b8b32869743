import { addressCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { lenientBlockNumberCodec } from './block-reference.js';

/** Addresses of one member at most. */
const MAX_ADDRESSES = 1_000;

const addresses = z.array(addressCodec).max(MAX_ADDRESSES).readonly().nullish();

/** Which entries trace_filter gives. */
export const traceCriteriaSchema = z.object({
  /** From genesis when it is absent. */
  fromBlock: lenientBlockNumberCodec.nullish(),
  /** Up to the head when it is absent; the block itself is included. */
  toBlock: lenientBlockNumberCodec.nullish(),
  /** Senders, creators and self-destructed contracts. */
  fromAddress: addresses,
  /** Recipients, created contracts, refunded accounts and rewarded validators. */
  toAddress: addresses,
  /** `intersection`: both lists must have an address of the entry; otherwise one is enough. */
  mode: z.enum(['union', 'intersection']).nullish(),
  /** Entries that are skipped. */
  after: z.int().nonnegative().nullish(),
  /** Entries at most. */
  count: z.int().nonnegative().nullish(),
});

export type TraceCriteria = z.output<typeof traceCriteriaSchema>;
