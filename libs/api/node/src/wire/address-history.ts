import { addressCodec, hashCodec } from '@tetrad/rpc';
import type { MinedReceipt } from '@tetrad/types';
import { z } from 'zod';
import { integerCodec } from './integer.js';
import { receiptCodec, viewReceipt } from './receipt.js';
import { transactionCodec, viewTransaction } from './transaction.js';

/** A page of the transactions of an address, the newest first, as Otterscan reads it. */
export const addressHistorySchema = z.object({
  txs: z.array(transactionCodec),
  /** In the order of the transactions; times in seconds since the epoch. */
  receipts: z.array(receiptCodec.extend({ timestamp: integerCodec })),
  /** Whether it has the newest. */
  firstPage: z.boolean(),
  /** Whether it has the oldest. */
  lastPage: z.boolean(),
});

type AddressHistoryView = z.output<typeof addressHistorySchema>;

/** The transaction that created a contract, and the account or contract that did. */
export const contractCreatorSchema = z.object({ hash: hashCodec, creator: addressCodec });

/** The view of a page, from the receipts of its transactions. */
export function viewAddressHistory(
  receipts: readonly MinedReceipt[],
  ends: Pick<AddressHistoryView, 'firstPage' | 'lastPage'>,
): AddressHistoryView {
  return {
    txs: receipts.map(({ transaction, position }) => viewTransaction(transaction, position)),
    receipts: receipts.map((mined) => ({
      ...viewReceipt(mined),
      timestamp: mined.position.blockTimestamp,
    })),
    ...ends,
  };
}
