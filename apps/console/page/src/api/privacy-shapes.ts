import * as z from 'zod';
import { receiptSchema } from './shapes.js';

/** Ids and keys that others chose are bounded by their form. */
const address = z.string().regex(/^0x[0-9a-f]{40}$/i);
const hash = z.string().regex(/^0x[0-9a-f]{64}$/i);
const ptmKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
const count = z.number().int().nonnegative();

export const privateTransactionSchema = z.object({
  from: address,
  to: address.nullable(),
  nonce: z.string().transform(Number),
  input: z.string().max(200),
});
export type PrivateTransaction = z.output<typeof privateTransactionSchema>;

/** Of a restricted transaction: it spends no gas of its own. */
export const restrictedReceiptSchema = receiptSchema
  .pick({ status: true, contractAddress: true, logs: true })
  .extend({
    from: address,
    to: address.nullable(),
    output: z.string(),
    privateFrom: ptmKey,
    privateFor: z.array(ptmKey).optional(),
    privacyGroupId: ptmKey.optional(),
  });
export type RestrictedReceipt = z.output<typeof restrictedReceiptSchema>;

export const metadataSchema = z.object({
  creationTxHash: z.string().max(200),
  privacyFlag: count,
  mandatoryFor: z.array(ptmKey).optional(),
});
export type Metadata = z.output<typeof metadataSchema>;

export const activeExtensionsSchema = z.array(
  z.object({
    managementContractAddress: address,
    contractExtended: address,
    initiator: address,
    recipient: address,
    recipientPtmKey: ptmKey,
  }),
);
export type ActiveExtension = z.output<typeof activeExtensionsSchema>[number];

const heldSchema = z.object({
  codeHash: hash,
  codeBytes: count,
  storageRoot: hash,
  privacyFlag: count,
  parties: z.array(ptmKey).optional(),
  slots: count.optional(),
});

const heardSchema = z.object({
  ptmKey,
  answer: z.enum(['stated', 'confirmed', 'contradicted', 'silent']),
});

export const inspectionSchema = z.object({
  held: heldSchema.optional(),
  extensions: z.array(
    z.object({
      managementContractAddress: address,
      initiator: address,
      initiatorPtmKey: ptmKey.optional(),
      recipient: address,
      recipientPtmKey: ptmKey,
      isInitiator: z.boolean(),
      isRecipient: z.boolean(),
      votes: z.array(z.object({ account: address, hasVoted: z.boolean() })),
      heard: z.array(heardSchema).optional(),
    }),
  ),
});
export type Inspection = z.output<typeof inspectionSchema>;
