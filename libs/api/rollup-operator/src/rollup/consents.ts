import { defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import {
  BLINDING,
  CIPHERTEXT,
  INCLUSION,
  JOINT_KEY,
  OPERATION_HASH,
  PUBLIC_KEY,
  RANDOMIZATION,
  SIBLING,
  SIGNATURE,
  STATE_ROOT,
  TOTAL_INDEX,
} from '../examples.js';
import { accountStateCodec } from '../pazkp/accounts.js';
import {
  OPERATION_ERRORS,
  amount,
  blindingFactor,
  encrypted,
  fromAccountId,
  nonce,
  operationHash,
  randomizationFactor,
  signature,
  softLimit,
  toAccountId,
  tokenId,
  wantedFrom,
  wantedStatus,
} from '../pazkp/params.js';
import { acceptedCodec, inclusionMembers, listOf, operationMembers } from '../wire/records.js';
import {
  accountIdSchema,
  amountCodec,
  fieldElementCodec,
  nonceSchema,
  tokenIdSchema,
  totalIndexSchema,
} from '../wire/values.js';

const SOURCE = 'beyond the interface document';
const ERRORS = [...OPERATION_ERRORS, 'INVALID_ENCRYPTION', 'CONSENTS_NOT_SUPPORTED'] as const;

const untilHeightSchema = z
  .int()
  .min(1)
  .max(2 ** 32 - 1);

const termsMembers = {
  tokenId: tokenIdSchema,
  /** Smaller payments become money orders. */
  minimum: amountCodec,
  /** The last batch that may credit. */
  untilHeight: untilHeightSchema,
  secret: fieldElementCodec,
};
const termsCodec = z.object(termsMembers);

const changeItemCodec = z.object({
  accountId: accountIdSchema,
  /** Null for a revocation. */
  terms: termsCodec.nullable(),
  ...operationMembers,
});
const changeCodec = changeItemCodec.extend(inclusionMembers);

const creditCodec = z.object({
  /** Total index of the credit. The payment or deposit is at the index before. */
  totalIndex: totalIndexSchema,
  /** 0 for a deposit. */
  fromAccountId: accountIdSchema,
  toAccountId: accountIdSchema,
  tokenId: tokenIdSchema,
  amount: amountCodec,
  batchHeight: z.int().nonnegative(),
});

const consentedStateCodec = accountStateCodec.extend({
  /** The word of the leaf, zeros for no consent; null where the contract has no consents. */
  consent: hashCodec.nullable(),
  /** What opens it; null for none. */
  terms: termsCodec.nullable(),
});

export type ConsentTermsView = z.output<typeof termsCodec>;
export type ConsentChangeView = z.output<typeof changeCodec>;
export type ConsentedStateView = z.output<typeof consentedStateCodec>;

const accountId = param('accountId', accountIdSchema, 'account');
const encryptedConsent = encrypted('encryptedConsent');
const TERMS = { tokenId: 1, minimum: 1000, untilHeight: 90_000, secret: BLINDING };
const CHANGE = {
  accountId: 9,
  terms: TERMS,
  nonce: 3,
  status: 'EXECUTED',
  rejectionReason: null,
  operationHash: OPERATION_HASH,
  batchHeight: 7,
};
const accepted = { operationHash: OPERATION_HASH };

/** Standing consents, by which payments are credited without a redemption (docs/adr/0253). */
export const rollupConsentMethods = {
  rollup_setConsent: defineMethod({
    summary:
      'Queues a consent of an account, in place of the one it has: payments and deposits of the token, of the minimum or more, are credited at once up to a height.',
    params: [
      accountId,
      tokenId,
      param('minimum', amountCodec, 'smallest amount, in token base units'),
      param('untilHeight', untilHeightSchema, 'last batch that may credit'),
      param('secret', fieldElementCodec, '32 bytes, drawn anew for each consent'),
      encryptedConsent,
      randomizationFactor,
      nonce,
      signature,
    ],
    result: acceptedCodec,
    errors: ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'queues one',
        params: [9, 1, 1000, 90_000, BLINDING, CIPHERTEXT, RANDOMIZATION, 3, SIGNATURE],
        result: accepted,
      },
    ],
  }),
  rollup_revokeConsent: defineMethod({
    summary: 'Queues the end of the consent of an account.',
    params: [accountId, encryptedConsent, randomizationFactor, nonce, signature],
    result: acceptedCodec,
    errors: ERRORS,
    source: SOURCE,
    examples: [
      { summary: 'queues it', params: [9, CIPHERTEXT, RANDOMIZATION, 4, SIGNATURE], result: accepted },
    ],
  }),
  rollup_findConsentChange: defineMethod({
    summary: 'A consent, or the end of one, that was queued; null when it is unknown.',
    params: [operationHash],
    result: changeCodec.nullable(),
    source: SOURCE,
    examples: [{ summary: 'finds one', params: [OPERATION_HASH], result: { ...CHANGE, ...INCLUSION } }],
  }),
  rollup_listConsentChanges: defineMethod({
    summary: 'Consents of an account and their ends, from a nonce on.',
    params: [param('nonce', nonceSchema, 'first nonce listed'), softLimit, accountId, wantedStatus],
    result: listOf(changeItemCodec),
    errors: ['ROLLUP_ACCOUNT_NOT_FOUND', 'ROLLUP_ACCOUNT_NOT_FINALIZED', 'RESPONSE_TOO_LARGE'],
    source: SOURCE,
    examples: [
      {
        summary: 'of any status',
        params: [1, 20, 9, null],
        result: { hasMoreResults: false, items: [CHANGE] },
      },
    ],
  }),
  rollup_getAccountState: defineMethod({
    summary:
      'Latest state of an account that is finalized on the blockchain, with its consent, which its leaf has, and the Merkle proof.',
    params: [accountId],
    result: consentedStateCodec,
    errors: ['ROLLUP_ACCOUNT_NOT_FOUND', 'ROLLUP_ACCOUNT_OPAQUE'],
    source: SOURCE,
    examples: [
      {
        summary: 'of an account',
        params: [9],
        result: {
          id: 9,
          publicKey: PUBLIC_KEY,
          jointEncryptionKey: JOINT_KEY,
          nonce: 3,
          redemptionIndex: 458755,
          blindingFactor: BLINDING,
          balances: { '1': 7500 },
          rootHash: STATE_ROOT,
          merkleProof: [SIBLING],
          consent: SIBLING,
          terms: TERMS,
        },
      },
    ],
  }),
  rollup_createDirectMoneyOrder: defineMethod({
    summary:
      'Queues a payment that is credited at once where its receiver has a consent for it, and is a money order otherwise. Payer and receiver of what is credited are public.',
    params: [
      fromAccountId,
      toAccountId,
      tokenId,
      amount,
      blindingFactor,
      encrypted('encryptedMoneyOrder'),
      randomizationFactor,
      nonce,
      signature,
    ],
    result: acceptedCodec,
    errors: [...ERRORS, 'AMOUNT_TOO_LOW'],
    source: SOURCE,
    examples: [
      {
        summary: 'queues one',
        params: [4, 9, 1, 2500, BLINDING, CIPHERTEXT, RANDOMIZATION, 1, SIGNATURE],
        result: accepted,
      },
    ],
  }),
  rollup_listCredits: defineMethod({
    summary: 'What was credited to an account, in final batches, from an index on.',
    params: [
      param('fromTotalIndex', totalIndexSchema, 'first index listed'),
      softLimit,
      toAccountId,
      wantedFrom,
    ],
    result: listOf(creditCodec),
    errors: ['ROLLUP_ACCOUNT_NOT_FOUND', 'ROLLUP_ACCOUNT_NOT_FINALIZED'],
    source: SOURCE,
    examples: [
      {
        summary: 'of anyone',
        params: [0, 20, 9, null],
        result: {
          hasMoreResults: false,
          items: [
            {
              totalIndex: TOTAL_INDEX,
              fromAccountId: 4,
              toAccountId: 9,
              tokenId: 1,
              amount: 2500,
              batchHeight: 7,
            },
          ],
        },
      },
    ],
  }),
};
