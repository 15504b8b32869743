import { TransactionDecodeError, type DecodedTransactions } from '@tetrad/node-execution';
import type { PoolOutcome, PoolPort, RawTransaction } from '@tetrad/node-peer';
import type { TransactionPool } from '@tetrad/node-pool';
import { TimeSlices, RequestError } from '@tetrad/types';

type GossipPool = Pick<TransactionPool, 'find' | 'addRemote' | 'onTransaction' | 'oldest'>;

/** The pool as the peer layer reads and extends it. */
export function poolPort(pool: GossipPool, decoded: DecodedTransactions): PoolPort {
  return {
    has: (hash) => pool.find(hash) !== undefined,
    find: (hash) => pool.find(hash)?.raw,
    async add(transactions) {
      const slices = new TimeSlices();
      const outcomes: PoolOutcome[] = [];
      for (const transaction of transactions) {
        outcomes.push(await addOne(pool, transaction, decoded));
        if (slices.isOver()) await slices.pause();
      }
      return outcomes;
    },
    onAdded: (listener) => pool.onTransaction(({ hash, raw }) => listener({ hash, raw })),
    hashes: (limit) => pool.oldest(limit),
  };
}

async function addOne(
  pool: GossipPool,
  { raw, hash }: RawTransaction,
  decoded: DecodedTransactions,
): Promise<PoolOutcome> {
  try {
    await pool.addRemote(await decoded.ofGossip(raw, hash));
    return 'accepted';
  } catch (error) {
    if (error instanceof TransactionDecodeError) return 'invalid';
    if (error instanceof RequestError) return 'refused';
    throw error;
  }
}
