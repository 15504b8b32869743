import { addressCodec, dataCodec, hashCodec, indexCodec, uint64Codec } from '@tetrad/rpc';
import type { MinedLog } from '@tetrad/types';
import { z } from 'zod';

/** A log with its place in the chain, as the Ethereum execution API shows it. */
export const logCodec = z.object({
  address: addressCodec,
  topics: z.array(hashCodec),
  data: dataCodec,
  blockNumber: indexCodec,
  transactionHash: hashCodec,
  transactionIndex: indexCodec,
  blockHash: hashCodec,
  /** Seconds since the epoch. */
  blockTimestamp: uint64Codec.optional(),
  logIndex: indexCodec,
  removed: z.boolean(),
});

export type LogView = z.output<typeof logCodec>;

/** The view of a mined log; nothing is ever removed, because a committed block is final. */
export function viewLog(mined: MinedLog): LogView {
  return {
    address: mined.log.address,
    topics: [...mined.log.topics],
    data: mined.log.data,
    blockNumber: mined.blockNumber,
    transactionHash: mined.transactionHash,
    transactionIndex: mined.transactionIndex,
    blockHash: mined.blockHash,
    blockTimestamp: mined.blockTimestamp,
    logIndex: mined.logIndex,
    removed: false,
  };
}
