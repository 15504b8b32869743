import { hashCodec } from '@tetrad/rpc';
import { z } from 'zod';
import {
  accountIdSchema,
  amountCodec,
  ethereumAddressCodec,
  fieldElementCodec,
  merkleProofCodec,
  nonceSchema,
  operationHashCodec,
  tokenIdSchema,
  totalIndexSchema,
} from './values.js';

/** Records of operations, as the find and list methods give them. */

export const operationStatusSchema = z.enum(['PENDING', 'EXECUTED', 'REJECTED']);
export const receivedStatusSchema = z.enum(['AVAILABLE_TO_REDEEM', 'REDEEMED']);
/** The first three are those of the interface document; the others are what else executing can find (libs/rollup/README.md). */
const rejectionReasonSchema = z.enum([
  'NONCE_TOO_LOW',
  'BALANCE_TOO_LOW',
  'REPLACED_BY_OPERATION_WITH_SAME_NONCE',
  'BALANCE_TOO_HIGH',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_ALREADY_EXISTS',
  'MONEY_ORDER_NOT_FOUND',
  'MONEY_ORDER_ALREADY_REDEEMED',
  'EARLIER_MONEY_ORDER_OPEN',
  'NO_CONSENTS',
  'NOT_CREDITABLE',
]);

export type OperationStatus = z.output<typeof operationStatusSchema>;
export type ReceivedStatus = z.output<typeof receivedStatusSchema>;
export type RejectionReason = z.output<typeof rejectionReasonSchema>;

const moneyOrderCodec = z.object({
  fromAccountId: accountIdSchema,
  toAccountId: accountIdSchema,
  tokenId: tokenIdSchema,
  amount: amountCodec,
  blindingFactor: fieldElementCodec,
});

export const operationMembers = {
  nonce: nonceSchema,
  status: operationStatusSchema,
  /** Only when the status is REJECTED. */
  rejectionReason: rejectionReasonSchema.nullish(),
  operationHash: operationHashCodec,
  /** Ascending index of the batch that contains the operation; null before. */
  batchHeight: z.int().nonnegative().nullish(),
};

export const inclusionMembers = {
  /** Rollup state root of the batch. */
  batchStateRootHash: hashCodec.nullish(),
  /** Ethereum block that accepted the batch. */
  blockNumber: z.int().nonnegative().nullish(),
  blockHash: hashCodec.nullish(),
};

const orderMembers = { moneyOrder: moneyOrderCodec, moneyOrderTotalIndex: totalIndexSchema.nullish() };

export const creationItemCodec = z.object({ ...orderMembers, ...operationMembers });
export const creationCodec = creationItemCodec.extend(inclusionMembers);

export const redemptionItemCodec = creationItemCodec;
export const redemptionCodec = creationCodec.extend({ merkleProof: merkleProofCodec.nullish() });

export const receivedItemCodec = z.object({
  moneyOrder: moneyOrderCodec,
  moneyOrderTotalIndex: totalIndexSchema,
  batchHeight: z.int().nonnegative(),
});
export const receivedCodec = receivedItemCodec.extend({ merkleProof: merkleProofCodec });

export const outboundItemCodec = z.object({
  fromAccountId: accountIdSchema,
  toEthereumAddress: ethereumAddressCodec,
  tokenId: tokenIdSchema,
  amount: amountCodec,
  ...operationMembers,
});
export const outboundCodec = outboundItemCodec.extend(inclusionMembers);

/** A page: cut after the soft limit, never between operations of one nonce. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ hasMoreResults: z.boolean(), items: z.array(item) });
}

export const acceptedCodec = z.object({ operationHash: operationHashCodec });

export type MoneyOrderView = z.output<typeof moneyOrderCodec>;
export type CreationView = z.output<typeof creationCodec>;
export type RedemptionView = z.output<typeof redemptionCodec>;
export type OutboundTransferView = z.output<typeof outboundCodec>;
