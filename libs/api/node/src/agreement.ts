import { addressCodec, defineMethod, hashCodec, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { BLOCK_HASH, CONTRACT, NODE_ID, OTHER_PTM_KEY, PTM_KEY, TRANSACTION_HASH } from './examples.js';
import { agreementExplanationMethods } from './agreement-explanation.js';
import { integerOf } from './wire/integer.js';
import { ptmKeyCodec } from './wire/ptm-key.js';
import { statedCodec } from './wire/stated.js';

const SOURCE = 'this project: docs/spec/agreement-statements.md';

const count = z.int().nonnegative();

const partyFields = {
  ptmKey: ptmKeyCodec,
  /** The key of this node's manager that takes part. */
  ownPtmKey: ptmKeyCodec,
  agreement: z.enum(['agreed', 'diverged', 'pending', 'leftOut', 'cannotTell']),
  /** Why this node cannot tell. */
  reason: z.enum(['noMessages', 'silent', 'notStated', 'undisclosedHere', 'undisclosedThere']).optional(),
  /** Unix time of the party's last statement, in seconds. */
  heardAt: count.optional(),
  /** Public key of the node that signed the party's last statement, and its first one. */
  node: z.string().optional(),
  firstNode: z.string().optional(),
  /** What both have signed of the block; absent where they agree. */
  own: statedCodec.optional(),
  other: statedCodec.optional(),
  /** The first transaction of the block that differs. */
  firstDifference: hashCodec.optional(),
};

/** What is posted and notified once all have the same result, one has another, or the time is over. */
export interface AwaitedAgreementView {
  readonly transaction: string;
  /** `pending` also while the transaction is in no block. */
  readonly agreement: 'agreed' | 'diverged' | 'pending' | 'cannotTell';
  readonly parties: readonly Pick<PartyAgreementView, 'ptmKey' | 'agreement' | 'reason'>[];
}

const transactionAgreementCodec = z.object({
  transaction: hashCodec,
  blockNumber: count,
  blockHash: hashCodec,
  parties: z.array(z.object(partyFields)),
});

const contractAgreementCodec = z.object({
  contract: addressCodec,
  parties: z.array(
    z.object({
      ...partyFields,
      /** The newest transaction of both that entered the contract, and its block. */
      transaction: hashCodec,
      blockNumber: count,
      /** Block since whose end both have the same state by a repair. */
      repairedAt: count.optional(),
    }),
  ),
});

const disagreementsCodec = z.object({
  /** The last block that this node has stated; absent before the first. */
  stated: count.optional(),
  parties: z.array(
    z.object({
      ptmKey: ptmKeyCodec,
      ownPtmKey: ptmKeyCodec,
      /** First block that is compared. */
      since: count,
      /** Last block on which both agreed. */
      agreedBlock: count.optional(),
      heardAt: count.optional(),
      /** Whether the party's manager carries messages. */
      carriesMessages: z.boolean(),
    }),
  ),
  disagreements: z.array(
    z.object({
      blockNumber: count,
      ptmKey: ptmKeyCodec,
      ownPtmKey: ptmKeyCodec,
      state: z.enum(['pending', 'comparing', 'diverged', 'undisclosed', 'agreed']),
      firstDifference: hashCodec.optional(),
    }),
  ),
});

export type DisagreementsView = z.output<typeof disagreementsCodec>;
export type TransactionAgreementView = z.output<typeof transactionAgreementCodec>;
export type ContractAgreementView = z.output<typeof contractAgreementCodec>;
export type PartyAgreementView = TransactionAgreementView['parties'][number];

const DIVERGED = {
  ptmKey: OTHER_PTM_KEY,
  ownPtmKey: PTM_KEY,
  agreement: 'diverged',
  heardAt: 1_795_000_000,
  node: NODE_ID,
  firstNode: NODE_ID,
  own: { statement: `0x${'a1'.repeat(298)}`, list: `0x00000001000101${'a2'.repeat(63)}` },
  other: { statement: `0x${'b1'.repeat(298)}`, list: `0x00000001000101${'b2'.repeat(63)}` },
  firstDifference: TRANSACTION_HASH,
} as const;

const ERRORS = [
  'PRIVACY_NOT_AVAILABLE',
  'PRIVATE_STATE_NOT_AVAILABLE',
  'TRANSACTION_MANAGER_UNAVAILABLE',
] as const;

/** Questions beyond the interface document: whether all parties have the same private results. */
export const agreementMethods = {
  ...agreementExplanationMethods,
  privacy_getAgreement: defineMethod({
    summary:
      'Whether the other parties of a private transaction have the same result of it, by statements that their nodes have signed; null when this node is not a party.',
    params: [param('hash', hashCodec, 'hash of the transaction in the block')],
    result: transactionAgreementCodec.nullable(),
    errors: ERRORS,
    caller: 'anyone to whom the operator opens the namespace privacy: it names the parties',
    source: SOURCE,
    examples: [
      {
        summary: 'with one party that has another result',
        params: [TRANSACTION_HASH],
        result: {
          transaction: TRANSACTION_HASH,
          blockNumber: 16,
          blockHash: BLOCK_HASH,
          parties: [DIVERGED],
        },
      },
    ],
  }),
  privacy_subscribeAgreement: defineMethod({
    summary:
      'Notifies once, as eth_subscription, when all known parties of a private transaction have the same result, when one has another, or when the time is over; the id of the subscription.',
    params: [
      param('hash', hashCodec, 'hash of the transaction in the block; it may not be mined yet'),
      optionalParam(
        'wait',
        integerOf('number of milliseconds', 3_600_000),
        'milliseconds after which what is known then is notified, at most 3,600,000; a minute without it',
      ),
    ],
    result: z.string(),
    errors: ['PRIVACY_NOT_AVAILABLE', 'SUBSCRIPTIONS_NEED_WEBSOCKET', 'TOO_MANY_SUBSCRIPTIONS'],
    caller: 'anyone to whom the operator opens the namespace privacy: it names the parties',
    source: SOURCE,
    examples: [
      { summary: 'for ten seconds', params: [TRANSACTION_HASH, 10_000], result: `0x${'5b'.repeat(16)}` },
    ],
  }),
  privacy_compareSince: defineMethod({
    summary:
      'Has the results of blocks stated again from one on, so that blocks are compared that are older than those that were; true once that has begun.',
    params: [param('since', integerOf('number of a block'), 'number of the first block')],
    result: z.literal(true),
    errors: ['PRIVACY_NOT_AVAILABLE', 'BLOCK_NOT_FOUND'],
    caller: 'the operator of the node',
    source: SOURCE,
    examples: [{ summary: 'from the first block on', params: [0], result: true }],
  }),
  privacy_listDisagreements: defineMethod({
    summary:
      'The parties to which this node states private results, and blocks on which they do not agree, or not yet: the oldest 1,000 from a block on.',
    params: [
      optionalParam('since', integerOf('number of a block'), 'number of the first block; all without it'),
    ],
    result: disagreementsCodec,
    errors: ['PRIVACY_NOT_AVAILABLE'],
    caller: 'anyone to whom the operator opens the namespace privacy: it names the parties',
    source: SOURCE,
    examples: [
      {
        summary: 'with one block on which a party has another result',
        params: [],
        result: {
          stated: 120,
          parties: [
            {
              ptmKey: OTHER_PTM_KEY,
              ownPtmKey: PTM_KEY,
              since: 3,
              agreedBlock: 118,
              heardAt: 1_795_000_000,
              carriesMessages: true,
            },
          ],
          disagreements: [
            {
              blockNumber: 16,
              ptmKey: OTHER_PTM_KEY,
              ownPtmKey: PTM_KEY,
              state: 'diverged',
              firstDifference: TRANSACTION_HASH,
            },
          ],
        },
      },
    ],
  }),
  privacy_getContractAgreement: defineMethod({
    summary:
      'Whether other parties have the same state of a private contract, each by the newest transaction that entered it and that it shares with this node.',
    params: [param('address', addressCodec, 'private contract')],
    result: contractAgreementCodec,
    errors: ERRORS,
    caller: 'anyone to whom the operator opens the namespace privacy: it names the parties',
    source: SOURCE,
    examples: [
      {
        summary: 'with one party that was left out of later transactions',
        params: [CONTRACT],
        result: {
          contract: CONTRACT,
          parties: [
            {
              ptmKey: OTHER_PTM_KEY,
              ownPtmKey: PTM_KEY,
              agreement: 'leftOut',
              transaction: TRANSACTION_HASH,
              blockNumber: 16,
            },
          ],
        },
      },
    ],
  }),
};
