import * as z from 'zod';

const hash = z.string().regex(/^0x[0-9a-f]{64}$/i);
const address = z.string().regex(/^0x[0-9a-f]{40}$/i);
const ptmKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
const count = z.number().int().nonnegative();
const account = z.object({ storageRoot: hash, codeHash: hash });

/** A node answers with 1,000 of each. */
const MAX_REPAIRS = 1_000;
/** Parties that a repair asks, and their statements. */
const MAX_PARTIES = 64;

const change = { blockNumber: count, contract: address, before: account, after: account };

/** What is read of the repairs of private contracts that a node knows of. */
export const repairsSchema = z.object({
  repairs: z
    .array(
      z.object({
        ...change,
        from: ptmKey,
        /** In the words of the operator. */
        reason: z.string().max(2_000),
        statements: z.array(z.string().max(10_000)).max(MAX_PARTIES),
        untold: z.array(ptmKey).max(MAX_PARTIES),
        madeAt: count,
      }),
    )
    .max(MAX_REPAIRS),
  told: z.array(z.object({ ...change, ptmKey, isSame: z.boolean(), heardAt: count })).max(MAX_REPAIRS),
});
export type NodeRepairs = z.output<typeof repairsSchema>;
