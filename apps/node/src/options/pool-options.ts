import { defineOptions, durationOption, integerOption, option } from '@tetrad/service';

const POOL = 'Transaction pool';

/** Bounds of the transaction pool. */
export const poolOptions = defineOptions({
  poolMaxTransactions: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: POOL,
    description: 'Maximum number of transactions in the pool.',
    default: 100_000,
  }),
  poolMaxBytes: option(integerOption({ min: 1_000_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'Maximum total size of transactions in the pool.',
    unit: 'bytes',
    default: 268_435_456,
  }),
  poolMaxQueued: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: POOL,
    description:
      'Maximum number of queued transactions, which wait behind nonce gaps; default: a quarter of all.',
  }),
  poolMaxQueuedBytes: option(integerOption({ min: 1_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'Maximum total size of queued transactions; default: a quarter of all.',
    unit: 'bytes',
  }),
  poolQueuedLifetime: option(durationOption({ max: 30 * 24 * 3_600_000 }), {
    group: POOL,
    description: 'A transaction behind a nonce gap is dropped after this time; 0 keeps it.',
    default: 3 * 3_600_000,
  }),
  poolMaxPerAccount: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: POOL,
    description: 'Maximum number of transactions per sender.',
    default: 20_000,
  }),
  poolMaxBytesPerAccount: option(integerOption({ min: 1_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'Maximum total size of the transactions of one sender; default: a 16th of all.',
    unit: 'bytes',
  }),
  poolMaxTransactionBytes: option(integerOption({ min: 1_000, max: 4_000_000 }), {
    group: POOL,
    description: 'Maximum size of a transaction.',
    unit: 'bytes',
    default: 131_072,
  }),
});
