import type { TransactionType } from '@tetrad/types';
import { z } from 'zod';

const TYPES = ['legacy', 'accessList', 'dynamicFee'] as const satisfies readonly TransactionType[];

/** EIP-2718 type: `0x0` legacy, `0x1` access list (EIP-2930), `0x2` dynamic fee (EIP-1559). */
export const transactionTypeCodec = z.codec(
  z.enum(['0x0', '0x1', '0x2'], {
    error: 'must be 0x0, 0x1 or 0x2: other transaction types are not accepted',
  }),
  z.enum(TYPES),
  {
    decode: (wire) => TYPES[Number(wire)] ?? 'legacy',
    encode: (type) => (type === 'legacy' ? '0x0' : type === 'accessList' ? '0x1' : '0x2'),
  },
);

const REQUEST_TYPE = 'must be a transaction type: 0, 1 or 2, as a number or in hex';

/** The type in a request: clients also write it as a JSON number and with leading zeros (`2`, `0x02`). */
export const requestTypeCodec = z.codec(
  z.union(
    [
      z.string(REQUEST_TYPE).regex(/^0x0{0,63}[0-2]$/, REQUEST_TYPE),
      z.literal([0, 1, 2], { error: REQUEST_TYPE }),
    ],
    { error: REQUEST_TYPE },
  ),
  z.enum(TYPES),
  {
    decode: (wire) => TYPES[Number(wire)] ?? 'legacy',
    encode: (type) => `0x${TYPES.indexOf(type)}`,
  },
);
