import * as z from 'zod';

const hash = z.string().regex(/^0x[0-9a-f]{64}$/i);
const ptmKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
const count = z.number().int().nonnegative();
/** A list of 1,000 transactions and an outcome of 256 contracts have less. */
const evidence = z
  .string()
  .max(200_000)
  .regex(/^0x[0-9a-f]*$/i);
const stated = z.object({ statement: evidence, outcome: evidence.optional() });

const partySchema = z.object({
  ptmKey,
  agreement: z.enum(['agreed', 'diverged', 'pending', 'leftOut', 'cannotTell']),
  reason: z.enum(['noMessages', 'silent', 'notStated', 'undisclosedHere', 'undisclosedThere']).optional(),
  heardAt: count.optional(),
  node: z.string().max(200).optional(),
  firstNode: z.string().max(200).optional(),
  own: stated.optional(),
  other: stated.extend({ before: evidence.optional() }).optional(),
  firstDifference: hash.optional(),
  /** Of a contract: the newest transaction that both have. */
  transaction: hash.optional(),
  /** Of a contract: at whose end it was repaired to the state that both have. */
  repairedAt: count.optional(),
});
/** Whether another party has the same result, as a node says. */
export type PartyAgreement = z.output<typeof partySchema>;

/** Parties that are read of one answer. */
const MAX_PARTIES = 10_000;

const parties = z.array(partySchema).max(MAX_PARTIES);

export const transactionAgreementSchema = z.object({ parties });
export const contractAgreementSchema = z.object({ parties });
