import { quantityCodec } from '@tetrad/rpc';
import type { Block, MinedReceipt } from '@tetrad/types';
import { z } from 'zod';
import { blockCodec, viewBlock } from './block.js';
import { receiptCodec, viewReceipt } from './receipt.js';
import { effectiveGasPrice, transactionCodec, viewTransaction } from './transaction.js';

/** Bytes of the selector of a call. */
const SELECTOR_BYTES = 4;

/** A block without its transactions and bloom, which Otterscan does not show. */
const otterscanBlockSchema = blockCodec
  .omit({ transactions: true, logsBloom: true })
  .extend({ logsBloom: z.null(), transactionCount: z.int().nonnegative() });

type OtterscanBlock = z.output<typeof otterscanBlockSchema>;

/** A receipt without its logs and bloom. */
const otterscanReceiptSchema = receiptCodec
  .omit({ logs: true, logsBloom: true })
  .extend({ logs: z.null(), logsBloom: z.null() });

type OtterscanReceipt = z.output<typeof otterscanReceiptSchema>;

/** A block with what was paid in it. */
export const blockDetailsSchema = z.object({
  block: otterscanBlockSchema,
  issuance: z.object({ blockReward: quantityCodec, uncleReward: quantityCodec, issuance: quantityCodec }),
  /** Wei that the senders paid for gas. */
  totalFees: quantityCodec,
});

/** A page of the transactions of a block: their input is cut to the selector. */
export const blockPageSchema = z.object({
  fullblock: otterscanBlockSchema.extend({ transactions: z.array(transactionCodec) }),
  receipts: z.array(otterscanReceiptSchema),
});

/** What a view of a block needs beside it. */
export interface BlockFigures {
  /** Length of the block's RLP. */
  readonly sizeBytes: number;
  readonly totalDifficulty: bigint;
}

function viewOtterscanBlock(block: Block, figures: BlockFigures): OtterscanBlock {
  const { transactions, ...view } = viewBlock(block, { ...figures, transactions: 'hashes' });
  return { ...view, logsBloom: null, transactionCount: transactions.length };
}

/**
 * The view of a block with its fees and reward.
 * @param receipts - of all its transactions
 * @param reward - wei that the chain pays for the block
 */
export function viewBlockDetails(
  block: Block,
  receipts: readonly MinedReceipt[],
  { reward, ...figures }: BlockFigures & { readonly reward: bigint },
): z.output<typeof blockDetailsSchema> {
  const fees = receipts.map(
    ({ transaction, position, receipt }) =>
      receipt.gasUsed * effectiveGasPrice(transaction, position.baseFeePerGas),
  );
  return {
    block: viewOtterscanBlock(block, figures),
    issuance: { blockReward: reward, uncleReward: 0n, issuance: reward },
    totalFees: fees.reduce((sum, fee) => sum + fee, 0n),
  };
}

/**
 * The view of a page of a block's transactions, in the order of the block. Pages begin at its end: page 0 has the last ones.
 * @param receipts - of all its transactions
 */
export function viewBlockPage(
  block: Block,
  receipts: readonly MinedReceipt[],
  { page, size, ...figures }: BlockFigures & { readonly page: number; readonly size: number },
): z.output<typeof blockPageSchema> {
  const end = Math.max(block.transactions.length - page * size, 0);
  const shown = receipts.slice(Math.max(end - size, 0), end);
  return {
    fullblock: {
      ...viewOtterscanBlock(block, figures),
      transactions: shown.map(({ transaction, position }) => {
        const view = viewTransaction(transaction, position);
        return { ...view, input: view.input.slice(0, SELECTOR_BYTES) };
      }),
    },
    receipts: shown.map(viewOtterscanReceipt),
  };
}

/** A receipt without its logs and bloom. */
function viewOtterscanReceipt(mined: MinedReceipt): OtterscanReceipt {
  return { ...viewReceipt(mined), logs: null, logsBloom: null };
}
