import { addressCodec, dataCodec, defineMethod, hashCodec, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { CONTRACT, OTHER_PTM_KEY, PTM_KEY, STATE_ROOT, TOPIC } from './examples.js';
import { integerOf } from './wire/integer.js';
import { ptmKeyCodec } from './wire/ptm-key.js';

const SOURCE = 'this project: docs/spec/contract-repairs.md';

const count = z.int().nonnegative();

/** Longest time that each step of a repair may take, and for which a whole contract may be allowed, in seconds. */
const MAX_WAIT = 600;
const MAX_ALLOWED = 7 * 86_400;

const wantedCodec = z.strictObject({
  contract: addressCodec,
  /** The party whose state is taken. */
  from: ptmKeyCodec,
  /** Parties that must state the same; without it, most of those that are known. */
  agreeWith: z.array(ptmKeyCodec).max(63).optional(),
  /** Whether the party is believed alone. */
  acceptOne: z.boolean().optional(),
  /** Is kept with the repair. */
  reason: z.string().min(1).max(500),
  /** For each step, in seconds; 60 without it. */
  wait: integerOf('time in seconds', MAX_WAIT).min(1).optional(),
});

const progressCodec = z.object({
  contract: addressCodec,
  from: ptmKeyCodec,
  phase: z.enum(['asking', 'waiting', 'holding', 'written', 'failed']),
  /** At whose end the contract is replaced, once that is known. */
  blockNumber: count.optional(),
  /** Why it has failed. */
  failure: z.string().optional(),
});

const accountFields = { storageRoot: hashCodec, codeHash: hashCodec, nonce: z.string() };
const accountCodec = z.object(accountFields);

const repairsCodec = z.object({
  repairs: z.array(
    z.object({
      blockNumber: count,
      contract: addressCodec,
      ownPtmKey: ptmKeyCodec,
      /** The party whose state it is. */
      from: ptmKeyCodec,
      request: hashCodec,
      reason: z.string(),
      before: accountCodec,
      after: accountCodec,
      /** Signed by the parties that were asked. */
      statements: z.array(dataCodec),
      /** Parties that have yet to be told. */
      untold: z.array(ptmKeyCodec),
      /** Unix time in seconds. */
      madeAt: count,
    }),
  ),
  /** What other parties say that they have repaired. */
  told: z.array(
    z.object({
      blockNumber: count,
      contract: addressCodec,
      ptmKey: ptmKeyCodec,
      ownPtmKey: ptmKeyCodec,
      before: accountCodec,
      after: accountCodec,
      /** Whether the contract is the same here after that block. */
      isSame: z.boolean(),
      /** Signed. */
      notice: dataCodec,
      heardAt: count,
    }),
  ),
  /** Parties that may have a whole contract. */
  allowed: z.array(z.object({ contract: addressCodec, ptmKey: ptmKeyCodec, until: count })),
});

export type RepairProgressView = z.output<typeof progressCodec>;
export type RepairsView = z.output<typeof repairsCodec>;

const PROGRESS = { contract: CONTRACT, from: OTHER_PTM_KEY, phase: 'asking' } as const;
const BEFORE = { storageRoot: TOPIC, codeHash: STATE_ROOT, nonce: '1' };
const AFTER = { storageRoot: STATE_ROOT, codeHash: STATE_ROOT, nonce: '1' };

/** Repairs of private contracts, whose state is taken from another party. */
export const contractRepairMethods = {
  admin_repairContract: defineMethod({
    summary:
      'Begins to replace the state of a private contract by what another party has, at the end of the next block, once others state the same; admin_getContractRepair says how it goes on.',
    params: [param('repair', wantedCodec, 'contract, party, and which others must state the same')],
    result: progressCodec,
    errors: [
      'PRIVACY_NOT_AVAILABLE',
      'REPAIR_REFUSED',
      'NOT_A_PRIVATE_CONTRACT',
      'TRANSACTION_MANAGER_UNAVAILABLE',
    ],
    caller: 'the operator of the node',
    source: SOURCE,
    examples: [
      {
        summary: 'from one party, if another states the same',
        params: [
          { contract: CONTRACT, from: OTHER_PTM_KEY, agreeWith: [PTM_KEY], reason: 'left out of block 16' },
        ],
        result: PROGRESS,
      },
    ],
  }),
  admin_getContractRepair: defineMethod({
    summary: 'The repair that is under way, or was last since the node was started; null without one.',
    params: [],
    result: progressCodec.nullable(),
    errors: ['PRIVACY_NOT_AVAILABLE'],
    caller: 'the operator of the node',
    source: SOURCE,
    examples: [
      {
        summary: 'of one that is done',
        params: [],
        result: { ...PROGRESS, phase: 'written', blockNumber: 20 },
      },
    ],
  }),
  admin_allowContractRepair: defineMethod({
    summary:
      'Allows a party of a private contract its whole state for some time, so that it can repair its own; 0 seconds take that back. True once it is stored.',
    params: [
      param('contract', addressCodec, 'private contract'),
      param('ptmKey', ptmKeyCodec, 'key of the party'),
      param('seconds', integerOf('time in seconds', MAX_ALLOWED), 'how long, at most a week'),
    ],
    result: z.literal(true),
    errors: ['PRIVACY_NOT_AVAILABLE', 'NOT_A_PRIVATE_CONTRACT', 'PRIVATE_STATE_NOT_AVAILABLE'],
    caller: 'the operator of the node',
    source: SOURCE,
    examples: [{ summary: 'for an hour', params: [CONTRACT, OTHER_PTM_KEY, 3_600], result: true }],
  }),
  privacy_listRepairs: defineMethod({
    summary:
      'Repairs of private contracts: those of this node, those that other parties have told, and who may have a whole contract; the newest 1,000 of each.',
    params: [optionalParam('contract', addressCodec, 'private contract; all without it')],
    result: repairsCodec,
    errors: ['PRIVACY_NOT_AVAILABLE'],
    caller: 'anyone to whom the operator opens the namespace privacy: it names the parties',
    source: SOURCE,
    examples: [
      {
        summary: 'with one of this node',
        params: [],
        result: {
          repairs: [
            {
              blockNumber: 20,
              contract: CONTRACT,
              ownPtmKey: PTM_KEY,
              from: OTHER_PTM_KEY,
              request: TOPIC,
              reason: 'left out of block 16',
              before: BEFORE,
              after: AFTER,
              statements: [`0x${'a1'.repeat(461)}`],
              untold: [],
              madeAt: 1_795_000_000,
            },
          ],
          told: [],
          allowed: [],
        },
      },
    ],
  }),
};
