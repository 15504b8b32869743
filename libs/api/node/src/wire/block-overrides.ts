import { addressCodec, hashCodec, indexCodec, quantityCodec, uint64Codec } from '@tetrad/rpc';
import type { Address, Hash } from '@tetrad/types';
import { z } from 'zod';
import { compact } from './compact.js';

/** Overrides of the block in which a call runs; absent members are unchanged. */
export interface BlockOverrides {
  readonly number?: number;
  /** In the units of the chain's headers: seconds since the epoch, nanoseconds under raft. Below 2^64 */
  readonly time?: bigint;
  readonly gasLimit?: bigint;
  readonly feeRecipient?: Address;
  readonly prevRandao?: Hash;
  /** Base fee per gas in wei. */
  readonly baseFeePerGas?: bigint;
  /** Blob base fee in wei. */
  readonly blobBaseFee?: bigint;
  readonly difficulty?: bigint;
}

const members = {
  number: indexCodec.nullish(),
  time: uint64Codec.nullish(),
  gasLimit: quantityCodec.nullish(),
  feeRecipient: addressCodec.nullish(),
  prevRandao: hashCodec.nullish(),
  baseFeePerGas: quantityCodec.nullish(),
  blobBaseFee: quantityCodec.nullish(),
  difficulty: quantityCodec.nullish(),
};

/** Names that geth had before the merge, and still reads. */
const EARLIER_NAMES = { coinbase: 'feeRecipient', random: 'prevRandao', baseFee: 'baseFeePerGas' } as const;

const wireOverrides = z
  .strictObject({
    ...members,
    coinbase: addressCodec.nullish(),
    random: hashCodec.nullish(),
    baseFee: quantityCodec.nullish(),
  })
  .superRefine((overrides, context) => {
    for (const [earlier, name] of Object.entries(EARLIER_NAMES)) {
      const both = overrides as Readonly<Record<string, unknown>>;
      if ((both[earlier] ?? undefined) === undefined || (both[name] ?? undefined) === undefined) continue;
      context.addIssue({
        code: 'custom',
        path: [earlier],
        message: `another name of ${name}, which is given too`,
      });
    }
  });

/** Block overrides of a call or a simulation. Unknown members are refused: they would change the answer. */
export const blockOverridesCodec = z.codec(
  wireOverrides,
  z.custom<BlockOverrides>((value) => typeof value === 'object' && value !== null),
  {
    decode: ({ coinbase, random, baseFee, ...wire }): BlockOverrides =>
      compact({
        ...wire,
        feeRecipient: wire.feeRecipient ?? coinbase,
        prevRandao: wire.prevRandao ?? random,
        baseFeePerGas: wire.baseFeePerGas ?? baseFee,
      }),
    encode: (overrides) => ({ ...overrides }),
  },
);
