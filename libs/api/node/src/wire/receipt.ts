import { addressCodec, dataCodec, hashCodec, indexCodec, quantityCodec } from '@tetrad/rpc';
import type { MinedReceipt } from '@tetrad/types';
import { z } from 'zod';
import { logCodec, viewLog } from './log.js';
import { effectiveGasPrice } from './transaction.js';
import { transactionTypeCodec } from './transaction-type.js';

export const statusCodec = z.codec(z.enum(['0x0', '0x1']), z.union([z.literal(0), z.literal(1)]), {
  decode: (text) => (text === '0x1' ? 1 : 0),
  encode: (status) => (status === 1 ? '0x1' : '0x0'),
});

/** A receipt with its place in the chain, as the Ethereum execution API shows it. */
export const receiptCodec = z.object({
  type: transactionTypeCodec,
  transactionHash: hashCodec,
  transactionIndex: indexCodec,
  blockHash: hashCodec,
  blockNumber: indexCodec,
  from: addressCodec,
  to: addressCodec.nullable(),
  cumulativeGasUsed: quantityCodec,
  gasUsed: quantityCodec,
  contractAddress: addressCodec.nullable(),
  logs: z.array(logCodec),
  logsBloom: dataCodec,
  /** 1 when the transaction ran to its end, 0 when it was reverted. */
  status: statusCodec,
  effectiveGasPrice: quantityCodec,
  /** Whether a private transaction is behind it; clients of private networks look for the member. */
  isPrivacyMarkerTransaction: z.boolean(),
  /** What a revert returned, selector included; on nodes that keep it. */
  revertReason: dataCodec.optional(),
});

export type ReceiptView = z.output<typeof receiptCodec>;

/** The view of a mined receipt and of its logs. */
export function viewReceipt(mined: MinedReceipt): ReceiptView {
  const { transaction, position, receipt } = mined;
  const place = { ...position, transactionHash: transaction.hash };
  return {
    type: receipt.type,
    transactionHash: transaction.hash,
    transactionIndex: position.transactionIndex,
    blockHash: position.blockHash,
    blockNumber: position.blockNumber,
    from: transaction.sender,
    to: transaction.to ?? null,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    gasUsed: receipt.gasUsed,
    contractAddress: receipt.contractAddress ?? null,
    logs: receipt.logs.map((log, index) => viewLog({ ...place, log, logIndex: mined.firstLogIndex + index })),
    logsBloom: receipt.logsBloom,
    status: receipt.status,
    effectiveGasPrice: effectiveGasPrice(transaction, position.baseFeePerGas),
    isPrivacyMarkerTransaction: mined.isPrivacyMarker === true,
    ...(receipt.revertReason === undefined ? {} : { revertReason: receipt.revertReason }),
  };
}
