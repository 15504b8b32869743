import { addressCodec, defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import { CONTRACT, OTHER_PTM_KEY, PTM_KEY, TRANSACTION_HASH } from './examples.js';
import { ptmKeyCodec } from './wire/ptm-key.js';
import { statedCodec } from './wire/stated.js';

const count = z.int().nonnegative();
const end = z.enum(['own', 'other']);
const place = z.object({ transaction: hashCodec, blockNumber: count });

const differenceCodec = z.object({
  /**
   * `transaction`: one end does not have it. `outcome`: the other end has not told its own yet. `undisclosed`: one end does not
   * tell its own. `contracts`: more than 256. Otherwise what differs first.
   */
  field: z.enum([
    'transaction',
    'status',
    'gasUsed',
    'logs',
    'contract',
    'contracts',
    'outcome',
    'undisclosed',
  ]),
  /** The end that lacks the transaction, or does not tell. */
  at: end.optional(),
  /** Of `contract`: the first whose account differs, and which part of it. */
  contract: addressCodec.optional(),
  part: z.enum(['presence', 'nonce', 'balance', 'storageRoot', 'codeHash']).optional(),
  /** What this node has, and what the other party states; absent where it has none. */
  own: z.string().optional(),
  other: z.string().optional(),
});

const causeCodec = z.object({
  kind: z.enum(['leftOut', 'payloadLost', 'publicReads', 'rules']),
  at: end,
  /** Whether what this node has proves it. */
  isCertain: z.boolean(),
  /** Earlier transactions that were not sent to the party. */
  transactions: z.array(hashCodec).optional(),
  /** Contracts that the party did not enter, and at whose addresses it read public state. */
  contracts: z.array(addressCodec).optional(),
  /** Of `rules`: which ones, and what both ends have signed of them. `rule N` is one that this node does not know. */
  rules: z.array(z.object({ rule: z.string(), own: z.string(), other: z.string() })).optional(),
  /** Whether the manager of this node has the payload by now. */
  isBack: z.boolean().optional(),
});

const explanationCodec = z.object({
  contract: addressCodec,
  parties: z.array(
    z.object({
      ptmKey: ptmKeyCodec,
      ownPtmKey: ptmKeyCodec,
      /** `leftOut`: no transaction of both came after those that were not sent to the party. */
      agreement: z.enum(['diverged', 'undisclosed', 'leftOut']),
      /** The first that differs; of `leftOut` the first that was not sent to the party. */
      ...place.shape,
      difference: differenceCodec.optional(),
      /** The certain ones first; none where this node cannot know. */
      causes: z.array(causeCodec),
      /** Whether both ends say that they execute by the same rules; `unknown` where one has said nothing. Nothing proves what they say. */
      rules: z.enum(['equal', 'different', 'unknown']),
      /** The last transaction before it on which both agreed. */
      agreed: place.optional(),
      /** False where earlier transactions were never compared. */
      isWhole: z.boolean(),
      /** What both have signed of the block, with the outcome of the transaction at each end. */
      own: statedCodec.optional(),
      other: statedCodec.optional(),
    }),
  ),
});

export type ExplanationView = z.output<typeof explanationCodec>;
export type PartyExplanationView = ExplanationView['parties'][number];

/** A question beyond the interface document: on which transaction parties came apart, and why. */
export const agreementExplanationMethods = {
  privacy_explainAgreement: defineMethod({
    summary:
      'The first transaction on which each other party differs about a private contract, what differs, and why as far as this node can know.',
    params: [param('address', addressCodec, 'private contract')],
    result: explanationCodec,
    errors: ['PRIVACY_NOT_AVAILABLE', 'PRIVATE_STATE_NOT_AVAILABLE', 'TRANSACTION_MANAGER_UNAVAILABLE'],
    caller: 'anyone to whom the operator opens the namespace privacy: it names the parties',
    source: 'this project: docs/how-to/check-agreement.md',
    examples: [
      {
        summary: 'with one party that was left out of an earlier transaction',
        params: [CONTRACT],
        result: {
          contract: CONTRACT,
          parties: [
            {
              ptmKey: OTHER_PTM_KEY,
              ownPtmKey: PTM_KEY,
              agreement: 'diverged',
              transaction: TRANSACTION_HASH,
              blockNumber: 18,
              difference: { field: 'status', own: '1', other: '0' },
              causes: [
                {
                  kind: 'leftOut',
                  at: 'other',
                  isCertain: true,
                  transactions: [`0x${'6c'.repeat(32)}`],
                },
              ],
              rules: 'equal',
              agreed: { transaction: `0x${'6b'.repeat(32)}`, blockNumber: 14 },
              isWhole: true,
            },
          ],
        },
      },
    ],
  }),
};
