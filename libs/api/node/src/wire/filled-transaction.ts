import { addressCodec, dataCodec, hashCodec, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { accessListCodec } from './transaction.js';
import { transactionTypeCodec } from './transaction-type.js';

/** A transaction with every member filled in, beside its encoding; unsigned ones have r and s of zero. */
export const filledTransactionCodec = z.object({
  /** EIP-2718 envelope or RLP list. */
  raw: dataCodec,
  tx: z.object({
    type: transactionTypeCodec.optional(),
    nonce: quantityCodec,
    gasPrice: quantityCodec.nullable(),
    maxFeePerGas: quantityCodec.nullish(),
    maxPriorityFeePerGas: quantityCodec.nullish(),
    gas: quantityCodec,
    value: quantityCodec,
    input: dataCodec,
    accessList: accessListCodec.optional(),
    chainId: quantityCodec.optional(),
    v: quantityCodec,
    r: quantityCodec,
    s: quantityCodec,
    to: addressCodec.nullable(),
    hash: hashCodec,
  }),
});

export type FilledTransaction = z.output<typeof filledTransactionCodec>;
