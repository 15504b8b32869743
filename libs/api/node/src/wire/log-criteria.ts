import { addressCodec, hashCodec } from '@tetrad/rpc';
import type { Address, Hash } from '@tetrad/types';
import { z } from 'zod';
import { blockNumberOrTagCodec, type BlockNumberOrTag } from './block-reference.js';

/** Which logs a client asks for; blocks are inclusive, an absent end is the latest block. */
export interface LogCriteria {
  readonly fromBlock?: BlockNumberOrTag;
  readonly toBlock?: BlockNumberOrTag;
  /** Instead of a range. */
  readonly blockHash?: Hash;
  /** Empty for any emitter. */
  readonly addresses: readonly Address[];
  /** At each position: undefined for any topic, or the topics that match. */
  readonly topics: readonly (readonly Hash[] | undefined)[];
}

/** Addresses, and topics at a position, as in geth. */
const MAX_MEMBERS = 1_000;

const topicCodec = z.union([z.null(), hashCodec, z.array(z.union([z.null(), hashCodec]))]);

const wireCriteria = z
  .object({
    fromBlock: blockNumberOrTagCodec.nullish(),
    toBlock: blockNumberOrTagCodec.nullish(),
    blockHash: hashCodec.nullish(),
    address: z.union([addressCodec, z.array(addressCodec)]).nullish(),
    topics: z.array(topicCodec).max(4, 'must have at most four positions').nullish(),
    // Of subscriptions to receipts: one that is not in order there must not pass for a search for logs.
    transactionHashes: z.never({ error: 'is not a member of a log filter' }).optional(),
  })
  .refine(({ blockHash, fromBlock, toBlock }) => !blockHash || (fromBlock ?? toBlock ?? null) === null, {
    path: ['blockHash'],
    message: 'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
  })
  .refine(({ address }) => !Array.isArray(address) || address.length <= MAX_MEMBERS, {
    path: ['address'],
    message: `must name at most ${MAX_MEMBERS} addresses`,
  })
  .refine(({ topics }) => (topics ?? []).every((topic) => (topic?.length ?? 0) <= MAX_MEMBERS), {
    path: ['topics'],
    message: `must name at most ${MAX_MEMBERS} topics at a position`,
  });

type WireCriteria = z.output<typeof wireCriteria>;

/** A topic position matches any topic when it is null, an empty list, or a list that holds null. */
function topicsFromWire(topic: z.output<typeof topicCodec>): readonly Hash[] | undefined {
  if (topic === null) return undefined;
  if (!Array.isArray(topic)) return [topic];
  const hashes = topic.filter((member) => member !== null);
  return hashes.length === 0 || hashes.length < topic.length ? undefined : hashes;
}

function criteriaFromWire(wire: WireCriteria): LogCriteria {
  const { fromBlock, toBlock, blockHash, address, topics } = wire;
  return {
    ...(fromBlock === undefined || fromBlock === null ? {} : { fromBlock }),
    ...(toBlock === undefined || toBlock === null ? {} : { toBlock }),
    ...(blockHash ? { blockHash } : {}),
    addresses: address ? [address].flat() : [],
    topics: (topics ?? []).map(topicsFromWire),
  };
}

/** The filter object of eth_getLogs, eth_newFilter and the `logs` subscription. */
export const logCriteriaCodec = z.codec(
  wireCriteria,
  z.custom<LogCriteria>((value) => typeof value === 'object' && value !== null),
  {
    decode: criteriaFromWire,
    encode: ({ addresses, topics, ...block }): WireCriteria => ({
      ...block,
      ...(addresses.length === 0 ? {} : { address: [...addresses] }),
      ...(topics.length === 0 ? {} : { topics: topics.map((topic) => (topic ? [...topic] : null)) }),
    }),
  },
);
