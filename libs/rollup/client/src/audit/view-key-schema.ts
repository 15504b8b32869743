import { LEAVES_IN_PROOF } from '@tetrad/rollup-circuits';
import {
  ACCOUNT_TREE_DEPTH,
  HISTORY_TREE_DEPTH,
  MAX_ACCOUNTS,
  MAX_TOKENS,
  ORDER_TREE_DEPTH,
} from '@tetrad/rollup-state';
import { z } from 'zod';
import { VIEW_KEY_LIMITS } from './view-key.js';

/** The file of a view key, each value in one form only, so that what is signed is what is read (docs/spec/rollup-view-keys.md). */

const hex = (bytes: number) =>
  z
    .string()
    .length(2 + 2 * bytes)
    .regex(/^0x[0-9a-f]*$/);
const word = hex(32);
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,19})$/);
const chainId = z.string().regex(/^[1-9][0-9]{0,77}$/);
const address = hex(20);
const accountId = z
  .int()
  .min(1)
  .max(MAX_ACCOUNTS - 1);
/** Who is paid may be no account: the circuit takes any 32 bits. */
const party = z
  .int()
  .min(0)
  .max(2 ** 32 - 1);
const tokenId = z
  .int()
  .min(0)
  .max(MAX_TOKENS - 1);
const height = z
  .int()
  .min(1)
  .max(2 ** 32 - 1);
const totalIndex = z
  .int()
  .min(0)
  .max(2 ** 48 - 1);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const path = (depth: number) => z.array(word).length(depth);
/** A line of a report: no control characters, which a terminal would obey. */
export const viewKeyText = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{C}*$/u, 'must not have control characters');

const MAX_PROOF_HEX = 2 * 2 ** 16;
/** The leaf before the period, and one for each operation. */
const MAX_LEAF_PROOFS = Math.ceil((VIEW_KEY_LIMITS.operations + 1) / LEAVES_IN_PROOF);

const bytes = (most: number) =>
  z
    .string()
    .max(2 + most)
    .regex(/^0x(?:[0-9a-f]{2})*$/);

const order = { tokenId, amount: decimal, blindingFactor: word };

const viewKeySchema = z.strictObject({
  version: z.literal(2),
  chainId,
  contract: address,
  auditor: viewKeyText,
  purpose: viewKeyText,
  account: z.strictObject({ id: accountId, publicKey: hex(64), jointKey: hex(128) }),
  period: z.strictObject({ from: height, to: height, fromBlock: count, toBlock: count }),
  opening: z.strictObject({
    accountRoot: word,
    frontier: path(HISTORY_TREE_DEPTH),
    deposits: count,
    account: z
      .strictObject({
        leaf: word,
        nonce: count,
        redemptionIndex: totalIndex,
        balances: z.array(z.tuple([tokenId, decimal])).max(MAX_TOKENS),
        consent: word,
        siblings: path(ACCOUNT_TREE_DEPTH),
      })
      .nullable(),
  }),
  closing: z.strictObject({ siblings: path(ACCOUNT_TREE_DEPTH) }),
  sent: z
    .array(z.strictObject({ at: totalIndex, toAccountId: party, ...order }))
    .max(VIEW_KEY_LIMITS.operations),
  redeemed: z
    .array(z.strictObject({ at: totalIndex, orderIndex: totalIndex }))
    .max(VIEW_KEY_LIMITS.operations),
  withdrawn: z
    .array(z.strictObject({ at: totalIndex, toEthereumAddress: address, tokenId, amount: decimal }))
    .max(VIEW_KEY_LIMITS.operations),
  consents: z.array(z.strictObject({ at: totalIndex, consent: word })).max(VIEW_KEY_LIMITS.operations),
  credited: z
    .array(z.strictObject({ at: totalIndex, tokenId, amount: decimal }))
    .max(VIEW_KEY_LIMITS.operations),
  received: z
    .array(
      z.strictObject({
        at: totalIndex,
        fromAccountId: party,
        ...order,
        proof: z
          .strictObject({ siblings: path(ORDER_TREE_DEPTH), historySiblings: path(HISTORY_TREE_DEPTH) })
          .nullable(),
      }),
    )
    .max(VIEW_KEY_LIMITS.received),
  circuit: z.string().regex(/^[0-9a-f]{16}$/),
  leafProofs: z.array(bytes(MAX_PROOF_HEX)).min(1).max(MAX_LEAF_PROOFS),
  sharedKeys: z
    .strictObject({ keys: z.array(hex(64)).max(VIEW_KEY_LIMITS.sharedKeys), e: word, s: word })
    .nullable(),
});

export const signedViewKeySchema = z.strictObject({ viewKey: viewKeySchema, signature: hex(96) });

/** As it is in the file. */
export type ViewKeyText = z.output<typeof viewKeySchema>;
