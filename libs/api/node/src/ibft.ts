import { addressCodec, defineMethod, hashCodec, optionalParam, param } from '@tetrad/rpc';
import { parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { ACCOUNT, BLOCK_HASH, RECIPIENT } from './examples.js';
import { hexForInteger } from './tolerances.js';
import { lenientBlockNumberCodec } from './wire/block-reference.js';
import { integerOf } from './wire/integer.js';

const SOURCE = 'interface document, "Node interface: ibft consensus"';
const ADDRESS_KEY = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

const block = optionalParam(
  'blockNumber',
  lenientBlockNumberCodec,
  'height or tag; the latest block when left out',
);
const byHash = param('blockHash', hashCodec, 'hash of the block');

/** Map from validator to value; keys are written in lower case. */
function byAddress<Value extends z.ZodType<unknown, unknown>>(value: Value) {
  return z.codec(
    z.record(ADDRESS_KEY, value),
    z.custom<ReadonlyMap<Address, z.output<Value>>>((map) => map instanceof Map),
    {
      decode: (entries) =>
        new Map(
          Object.entries(entries).map(([address, member]) => [
            parseAddress(address),
            member as z.output<Value>,
          ]),
        ),
      encode: (entries) => Object.fromEntries(entries) as Record<string, z.output<Value>>,
    },
  );
}

const signersWithCapitals = z.object({
  Number: z.int().nonnegative(),
  Hash: hashCodec,
  Author: addressCodec,
  Committers: z.array(addressCodec).nullable(),
});

/**
 * Keys with capitals where the method is called by its original name: typed clients know them so
 * (docs/spec/bft.md#methods).
 */
const signersCodec = z.union([
  z.object({
    number: z.int().nonnegative(),
    hash: hashCodec,
    /** Proposer of the block. */
    author: addressCodec,
    /** Validators whose committed seals are in the block; null without seals. */
    committers: z.array(addressCodec).nullable(),
  }),
  signersWithCapitals,
]);

const voteCodec = z.object({
  validator: addressCodec,
  block: z.int().nonnegative(),
  address: addressCodec,
  authorize: z.boolean(),
});

const snapshotCodec = z.object({
  epoch: z.int().nonnegative(),
  number: z.int().nonnegative(),
  hash: hashCodec,
  /** Votes since the last epoch; null without votes. */
  votes: z.array(voteCodec).nullable(),
  tally: byAddress(z.object({ authorize: z.boolean(), votes: z.int().nonnegative() })),
  validators: z.array(addressCodec),
  /** Proposer policy: 0 round robin, 1 sticky. */
  policy: z.int().nonnegative(),
});

const statusCodec = z.object({
  numBlocks: z.int().nonnegative(),
  sealerActivity: byAddress(z.int().nonnegative()),
});

export type BlockSignersView = z.output<typeof signersCodec>;
export type SnapshotView = z.output<typeof snapshotCodec>;

const BLOCK_ERRORS = ['BLOCK_NOT_FOUND', 'CONSENSUS_NOT_AVAILABLE'] as const;
/** Errors that include that of block 0 of an IBFT chain, which is not sealed. */
const SIGNER_ERRORS = [...BLOCK_ERRORS, 'INVALID_SIGNATURE'] as const;

const SIGNERS = { number: 16, hash: BLOCK_HASH, author: ACCOUNT, committers: [ACCOUNT, RECIPIENT] };
const SNAPSHOT = {
  epoch: 30000,
  number: 16,
  hash: BLOCK_HASH,
  votes: [{ validator: ACCOUNT, block: 12, address: RECIPIENT, authorize: true }],
  tally: { [RECIPIENT]: { authorize: true, votes: 1 } },
  validators: [ACCOUNT],
  policy: 0,
};

/** Validator voting; the methods serve ibft and qbft. */
export const ibftMethods = {
  ibft_candidates: defineMethod({
    summary: 'Candidates that this node tries to vote in (true) or out (false).',
    params: [],
    result: byAddress(z.boolean()),
    errors: ['CONSENSUS_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'with one', params: [], result: { [RECIPIENT]: true } }],
  }),
  ibft_discard: defineMethod({
    summary: 'Drops a candidate; votes already cast stay in the snapshot.',
    params: [param('address', addressCodec, 'candidate')],
    result: z.null(),
    errors: ['CONSENSUS_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'drops one', params: [RECIPIENT], result: null }],
  }),
  ibft_getSignersFromBlock: defineMethod({
    summary: 'Proposer and committers of a block.',
    params: [block],
    result: signersCodec,
    errors: SIGNER_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of a height', params: [16], result: SIGNERS }],
  }),
  ibft_getSignersFromBlockByHash: defineMethod({
    summary: 'Proposer and committers of a block.',
    params: [byHash],
    result: signersCodec,
    errors: SIGNER_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of a hash', params: [BLOCK_HASH], result: SIGNERS }],
  }),
  ibft_getSnapshot: defineMethod({
    summary: 'Validators and open votes after a block.',
    params: [block],
    result: snapshotCodec,
    errors: BLOCK_ERRORS,
    source: SOURCE,
    examples: [
      { summary: 'of the latest block', params: ['latest'], result: SNAPSHOT },
      { summary: 'of a height in hex', params: ['0x10'], result: SNAPSHOT },
    ],
  }),
  ibft_getSnapshotAtHash: defineMethod({
    summary: 'Validators and open votes after a block.',
    params: [byHash],
    result: snapshotCodec,
    errors: BLOCK_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of a hash', params: [BLOCK_HASH], result: { ...SNAPSHOT, votes: null } }],
  }),
  ibft_getValidators: defineMethod({
    summary: 'Validators after a block, in ascending order.',
    params: [block],
    result: z.array(addressCodec),
    errors: BLOCK_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of the latest block', params: [], result: [RECIPIENT, ACCOUNT] }],
  }),
  ibft_getValidatorsAtHash: defineMethod({
    summary: 'Validators after a block, in ascending order.',
    params: [byHash],
    result: z.array(addressCodec),
    errors: BLOCK_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of a hash', params: [BLOCK_HASH], result: [RECIPIENT, ACCOUNT] }],
  }),
  ibft_isValidator: defineMethod({
    summary: 'Whether this node is a validator after a block.',
    params: [block],
    result: z.boolean(),
    errors: ['CONSENSUS_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'after the latest block', params: [], result: true }],
  }),
  ibft_nodeAddress: defineMethod({
    summary: 'Address of the node key.',
    params: [],
    result: addressCodec,
    errors: ['CONSENSUS_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'reads it', params: [], result: ACCOUNT }],
  }),
  ibft_propose: defineMethod({
    summary:
      'Makes an address a candidate: every block this node proposes votes it in (true) or out (false).',
    params: [
      param('address', addressCodec, 'candidate'),
      param('auth', z.boolean(), 'true votes in, false votes out'),
    ],
    result: z.null(),
    errors: ['TOO_MANY_CANDIDATES', 'CONSENSUS_NOT_AVAILABLE'],
    source: SOURCE,
    examples: [{ summary: 'votes in', params: [RECIPIENT, true], result: null }],
  }),
  ibft_status: defineMethod({
    summary:
      'Blocks proposed by each validator in a range without its end; the last 64 blocks when left out.',
    params: [
      optionalParam('startBlockNumber', integerOf('first block'), 'first block counted'),
      optionalParam('endBlockNumber', integerOf('end block'), 'block before which counting ends'),
    ],
    result: statusCodec,
    errors: ['INVALID_BLOCK_RANGE', 'CONSENSUS_NOT_AVAILABLE'],
    accepts: [hexForInteger('upstream clients write block numbers in hex', 0, 1)],
    source: SOURCE,
    examples: [
      {
        summary: 'of the first blocks',
        params: ['0x1', 10],
        result: { numBlocks: 9, sealerActivity: { [ACCOUNT]: 5, [RECIPIENT]: 4 } },
      },
    ],
  }),
};
