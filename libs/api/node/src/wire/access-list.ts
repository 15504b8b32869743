import { addressCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { storageSlotCodec } from './text.js';

/** An EIP-2930 access list. */
export const accessListCodec = z.array(
  z.object({ address: addressCodec, storageKeys: z.array(storageSlotCodec) }),
);
