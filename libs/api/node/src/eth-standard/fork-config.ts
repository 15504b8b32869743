import { addressCodec, defineMethod, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';

const addressesByName = z.record(z.string(), addressCodec);

const forkCodec = z.object({
  /** Seconds since the epoch; 0 for a fork that began with the chain or at a block number. */
  activationTime: z.int().nonnegative(),
  /** Null before Cancun. */
  blobSchedule: z
    .object({
      baseFeeUpdateFraction: z.int().nonnegative(),
      max: z.int().nonnegative(),
      target: z.int().nonnegative(),
    })
    .nullable(),
  chainId: quantityCodec,
  /** EIP-2124 and EIP-6122. */
  forkId: z.string().regex(/^0x[0-9a-f]{8}$/),
  precompiles: addressesByName,
  systemContracts: addressesByName,
});

export type ForkView = z.output<typeof forkCodec>;

/** Which rules the chain follows. */
export const ethForkConfigMethods = {
  eth_config: defineMethod({
    summary: 'Rules in force, and those of the next and of the last planned fork; null when none is planned.',
    params: [],
    result: z.object({ current: forkCodec, next: forkCodec.nullable(), last: forkCodec.nullable() }),
    source: 'EIP-7910',
    examples: [
      {
        summary: 'of a chain without planned forks',
        params: [],
        result: {
          current: {
            activationTime: 0,
            blobSchedule: null,
            chainId: '0x539',
            forkId: '0x0929e24e',
            precompiles: { ECREC: '0x0000000000000000000000000000000000000001' },
            systemContracts: {},
          },
          next: null,
          last: null,
        },
      },
    ],
  }),
};
