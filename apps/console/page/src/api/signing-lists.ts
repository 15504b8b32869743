import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { callService, valueOf } from './call-node.js';
import { LIVE_MS } from './queries.js';
import { amountSchema, bytesSchema, countSchema, textSchema } from './shapes.js';

/** Entries of a page. */
const PAGE = 50;

const decisionSchema = z.object({
  sequence: z.int(),
  time: z.number(),
  caller: textSchema.nullable(),
  account: textSchema,
  method: textSchema,
  outcome: z.enum(['allowed', 'refused']),
  reason: textSchema.nullable(),
  rule: textSchema.nullable(),
  limit: textSchema.nullable(),
  transaction: z
    .object({
      isPrivate: z.boolean(),
      nonce: amountSchema,
      to: bytesSchema.nullable(),
      value: amountSchema.nullable(),
    })
    .nullable(),
});
export type SignerDecision = z.output<typeof decisionSchema>;

const cursorSchema = z.string().max(100).nullable();
const decisionsSchema = z.object({ decisions: z.array(decisionSchema), cursor: cursorSchema });

const sendSchema = z.object({
  account: bytesSchema,
  chainId: countSchema,
  isPrivate: z.boolean(),
  nonce: amountSchema,
  state: textSchema,
  isGiven: z.boolean(),
  transactionHash: bytesSchema.nullable(),
  changedAt: z.number(),
});
export type SignerSend = z.output<typeof sendSchema>;

const sendsSchema = z.object({ sends: z.array(sendSchema), cursor: cursorSchema });

/** Which decisions of the signer are shown. */
export interface DecisionQuestion {
  readonly outcome: 'allowed' | 'refused' | undefined;
  /** Cursor of the page before; undefined for the newest. */
  readonly cursor: string | undefined;
}

/** Decisions of the signer, newest first. */
export function useSignerDecisions({ outcome, cursor }: DecisionQuestion) {
  return useQuery({
    queryKey: ['signer', 'decisions', outcome, cursor],
    queryFn: async ({ signal }) => {
      const params = [{ limit: PAGE, ...(outcome && { outcome }), ...(cursor && { cursor }) }];
      const [page] = await callService('signer', [{ method: 'signer_listDecisions', params }], signal);
      return decisionsSchema.parse(valueOf(page));
    },
    // Older pages stay as they are.
    refetchInterval: cursor === undefined ? LIVE_MS : false,
    placeholderData: keepPreviousData,
  });
}

/** Nonces of sends whose outcome is not known. */
export function useSendsInDoubt() {
  return useQuery({
    queryKey: ['signer', 'doubtful'],
    queryFn: async ({ signal }) => {
      const params = [{ state: 'doubtful', limit: PAGE }];
      const [page] = await callService('signer', [{ method: 'signer_listSends', params }], signal);
      return sendsSchema.parse(valueOf(page));
    },
    refetchInterval: LIVE_MS,
  });
}
