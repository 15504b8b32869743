import { addressCodec, defineMethod, hashCodec, optionalParam, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { PARAMS_WITHOUT_ARRAY } from './tolerances.js';

const SOURCE = 'beyond the interface document';
const ACCOUNT = '0x7577919ae5df4941180eac211965f275cdce314d';
const RECIPIENT = '0xd46e8dd67c5d32be8058bb8eb970870f07244567';
const HASH = '0xe670ec64341771606e55d6b4ca35a1a6b75ee3d5145a99d05921026d1527331d';

/** Entries of a page. */
const limitSchema = z.int().min(1).max(100).optional();

const outcomeSchema = z.enum(['allowed', 'refused']);

/** As the nonce manager names them (docs/spec/nonce-manager.md). */
const stateSchema = z.enum(['free', 'reserved', 'signed', 'doubtful', 'accepted']);

const timeSchema = z.int().describe('ms since the epoch');

/** What is shown of a transaction: never its data, and of a private one neither recipient nor parties. */
const shownTransactionCodec = z.object({
  isPrivate: z.boolean(),
  chainId: quantityCodec,
  nonce: quantityCodec,
  to: addressCodec.nullable().describe('null for a contract creation, and for a private transaction'),
  value: quantityCodec.nullable().describe('wei; null for a private transaction'),
});

const decisionCodec = z.object({
  sequence: z.int().describe('place in the audit log, from 1 without a gap'),
  time: timeSchema,
  caller: z.string().nullable().describe('subject of the token; null without one'),
  account: z.string().describe('as the caller named it when its key is not held'),
  method: z.string(),
  outcome: outcomeSchema,
  reason: z.string().nullable().describe('of a refusal: its reason in error.data; null when allowed'),
  rule: z.string().nullable().describe('policy rule that decided; null when none did'),
  limit: z.string().nullable().describe('of a refusal by a rule: what of the rule was not met'),
  transaction: shownTransactionCodec.nullable().describe('null when none was signed'),
});

const sendCodec = z.object({
  account: addressCodec,
  chainId: quantityCodec,
  isPrivate: z.boolean().describe('whether the nonce is one of a privacy group'),
  nonce: quantityCodec,
  state: stateSchema,
  isGiven: z.boolean().describe('whether the caller chose the nonce'),
  transactionHash: hashCodec.nullable().describe('null when nothing is signed with the nonce'),
  changedAt: timeSchema,
});

/** What an operator reads of the signer's database: the page of a console shows it. */
export const signerListMethods = {
  signer_listDecisions: defineMethod({
    summary:
      'Decisions of the audit log, newest first: what was signed or refused, for whom, by which policy rule. A page reads 10,000 entries at most, so that it may have fewer than asked for; it is the last when cursor is null.',
    params: [
      optionalParam(
        'query',
        z.strictObject({
          account: addressCodec.optional(),
          outcome: outcomeSchema.optional(),
          limit: limitSchema,
          cursor: z
            .string()
            .regex(/^[1-9]\d{0,14}$/, 'must be the cursor of a page')
            .optional(),
        }),
        'of which account and outcome, how many (50 without, 100 at most), and after which page',
      ),
    ],
    result: z.object({ decisions: z.array(decisionCodec), cursor: z.string().nullable() }),
    errors: ['DATABASE_UNAVAILABLE'],
    accepts: [PARAMS_WITHOUT_ARRAY],
    source: SOURCE,
    examples: [
      {
        summary: 'the newest refusal',
        params: [{ outcome: 'refused', limit: 1 }],
        result: {
          decisions: [
            {
              sequence: 912,
              time: 1_764_115_200_000,
              caller: 'billing',
              account: ACCOUNT,
              method: 'eth_sendTransaction',
              outcome: 'refused',
              reason: 'POLICY_REFUSED',
              rule: 'payments',
              limit: 'max-value',
              transaction: null,
            },
          ],
          cursor: '912',
        },
      },
      {
        summary: 'the decisions before an entry',
        params: [{ cursor: '2' }],
        result: {
          decisions: [
            {
              sequence: 1,
              time: 1_764_115_100_000,
              caller: null,
              account: ACCOUNT,
              method: 'eth_sendTransaction',
              outcome: 'allowed',
              reason: null,
              rule: 'payments',
              limit: null,
              transaction: { isPrivate: false, chainId: '0x539', nonce: '0x0', to: RECIPIENT, value: '0x1' },
            },
          ],
          cursor: null,
        },
      },
    ],
  }),
  signer_listSends: defineMethod({
    summary:
      'Nonces that are assigned and not yet counted by the chain, the highest of each account first; doubtful ones are of sends whose outcome is not known. A page reads 10,000 nonces at most; it is the last when cursor is null.',
    params: [
      optionalParam(
        'query',
        z.strictObject({
          account: addressCodec.optional(),
          state: stateSchema.optional(),
          limit: limitSchema,
          cursor: z
            .string()
            .regex(/^\d{1,15}-\d{1,78}$/, 'must be the cursor of a page')
            .optional(),
        }),
        'of which account and in which state, how many (50 without, 100 at most), and after which page',
      ),
    ],
    result: z.object({ sends: z.array(sendCodec), cursor: z.string().nullable() }),
    errors: ['DATABASE_UNAVAILABLE'],
    accepts: [PARAMS_WITHOUT_ARRAY],
    source: SOURCE,
    examples: [
      {
        summary: 'those in doubt',
        params: [{ state: 'doubtful' }],
        result: {
          sends: [
            {
              account: ACCOUNT,
              chainId: '0x539',
              isPrivate: false,
              nonce: '0x7',
              state: 'doubtful',
              isGiven: false,
              transactionHash: HASH,
              changedAt: 1_764_115_200_000,
            },
          ],
          cursor: null,
        },
      },
    ],
  }),
};
