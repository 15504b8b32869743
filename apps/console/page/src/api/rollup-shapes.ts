import * as z from 'zod';

const hex = z.string().regex(/^0x[0-9a-f]*$/i);
const whole = z.int().nonnegative();
/** Those beyond 2^53 come as text. */
const amount = z.union([whole, z.string().regex(/^[0-9]{1,20}$/)]).transform(BigInt);
/** Of statuses and reasons, which later versions may add to. */
const word = z.string().regex(/^[A-Z_]{1,100}$/);

export const accountSchema = z.object({ id: whole, publicKey: hex });
export const accountNonceSchema = z.object({ nonce: whole, redemptionIndex: whole });
export const accountStateSchema = accountNonceSchema.extend({
  balances: z.record(z.string().regex(/^[0-9]{1,10}$/), amount),
});
export type AccountState = z.output<typeof accountStateSchema>;

const order = z.object({ fromAccountId: whole, toAccountId: whole, tokenId: whole, amount });

const operationMembers = {
  nonce: whole,
  status: word,
  rejectionReason: word.nullish(),
  operationHash: hex.length(66),
  batchHeight: whole.nullish(),
  // Of a single operation only, once its batch is final.
  batchStateRootHash: hex.nullish(),
  blockNumber: whole.nullish(),
};

/** A money order that was created or redeemed. */
export const orderOperationSchema = z.object({ moneyOrder: order, ...operationMembers });
export const transferSchema = order
  .omit({ toAccountId: true })
  .extend({ toEthereumAddress: hex.length(42), ...operationMembers });

export const receivedSchema = z.object({
  moneyOrder: order,
  moneyOrderTotalIndex: whole,
  batchHeight: whole,
});
export type Received = z.output<typeof receivedSchema>;

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ hasMoreResults: z.boolean(), items: z.array(item) });
