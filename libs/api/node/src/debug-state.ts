import {
  addressCodec,
  dataCodec,
  defineMethod,
  hashCodec,
  indexCodec,
  optionalParam,
  param,
} from '@tetrad/rpc';
import { parseAddress, type Address } from '@tetrad/types';
import { z } from 'zod';
import { ACCOUNT, BLOCK, BLOCK_HASH, CONTRACT, EMPTY_CODE_HASH, EMPTY_ROOT, STATE_ROOT } from './examples.js';
import { STATE_ERRORS } from './errors.js';
import { hexForInteger, integersAt } from './tolerances.js';
import { blockReferenceCodec, lenientBlockNumberCodec } from './wire/block-reference.js';
import { blockCodec } from './wire/block.js';
import { integerCodec, integerOf } from './wire/integer.js';
import { bareHashCodec, bareHexCodec, decimalCodec } from './wire/text.js';
import { trieKeyCodec } from './wire/trie-key.js';

const SOURCE = 'go-ethereum, "debug"';

const storageSchema = z
  .record(z.string().regex(/^0x[0-9a-fA-F]{64}$/), z.string().regex(/^(?:[0-9a-fA-F]{2}){1,32}$/))
  .readonly();

/** An account of a dump in the form of debug_dumpAddress; `key` is its hashed address. */
const listedAccountCodec = z.object({
  balance: decimalCodec,
  nonce: integerCodec,
  root: bareHashCodec,
  codeHash: bareHashCodec,
  code: bareHexCodec.optional(),
  storage: storageSchema.optional(),
  key: hashCodec,
});

export type ListedAccountView = z.output<typeof listedAccountCodec>;

const accountsCodec = z.codec(
  z.record(z.string().regex(/^0x[0-9a-fA-F]{40}$/), listedAccountCodec),
  z.custom<ReadonlyMap<Address, ListedAccountView>>((value) => value instanceof Map),
  {
    decode: (accounts) =>
      new Map(Object.entries(accounts).map(([address, account]) => [parseAddress(address), account])),
    encode: (accounts) => Object.fromEntries(accounts) as Record<string, ListedAccountView>,
  },
);

const stateCodec = z.object({
  root: bareHashCodec,
  accounts: accountsCodec,
  /** Where the next page begins: a hashed address in base64; absent on the last page. */
  next: trieKeyCodec.optional(),
});

export type StateDumpView = z.output<typeof stateCodec>;

const storageRangeCodec = z.object({
  /** Hashed slot → slot, null where its preimage is unknown, and value. */
  storage: z.record(z.string(), z.object({ key: hashCodec.nullable(), value: hashCodec })),
  /** First hashed slot of the next page; null on the last page. */
  nextKey: hashCodec.nullable(),
});

export type StorageRangeView = z.output<typeof storageRangeCodec>;

const LISTED = {
  balance: '1000000000000000000',
  nonce: 3,
  root: EMPTY_ROOT.slice(2),
  codeHash: EMPTY_CODE_HASH.slice(2),
  key: BLOCK_HASH,
};

const count = integerOf('number of entries');
const flag = (name: string, summary: string) => optionalParam(name, z.boolean(), summary);

const modified = {
  result: z.array(addressCodec).readonly(),
  errors: [...STATE_ERRORS, 'INVALID_BLOCK_RANGE', 'RESPONSE_TOO_LARGE', 'PREIMAGE_NOT_FOUND'],
} as const;

/** The state page by page, what blocks have changed in it, and blocks that were refused. */
export const debugStateMethods = {
  debug_dumpBlock: defineMethod({
    summary: 'All accounts of the state after a block with their code and storage; for small states only.',
    params: [param('block', lenientBlockNumberCodec, 'height, or a tag')],
    result: stateCodec,
    errors: [...STATE_ERRORS, 'RESPONSE_TOO_LARGE'],
    source: SOURCE,
    examples: [
      {
        summary: 'with one account',
        params: ['latest'],
        result: { root: STATE_ROOT.slice(2), accounts: { [ACCOUNT]: { ...LISTED, code: '', storage: {} } } },
      },
    ],
  }),
  debug_accountRange: defineMethod({
    summary:
      'Accounts of the state after a block, in the order of their hashed addresses, at most 256 at a time.',
    params: [
      param('block', blockReferenceCodec, 'height, tag or hash'),
      optionalParam('start', trieKeyCodec, 'hashed address to begin with: base64 as `next` has it, or hex'),
      optionalParam('maxResults', count, 'accounts wanted; 256 when left out or 0'),
      flag('nocode', 'true to leave code out'),
      flag('nostorage', 'true to leave storage out'),
      flag('incompletes', 'ignored: addresses of all accounts are known here'),
    ],
    result: stateCodec,
    errors: [...STATE_ERRORS, 'RESPONSE_TOO_LARGE'],
    accepts: [hexForInteger('other clients write counts in hex', 2)],
    source: SOURCE,
    examples: [
      {
        summary: 'the first one, without code and storage',
        params: ['latest', '0x', 1, true, true],
        result: {
          root: STATE_ROOT.slice(2),
          accounts: { [ACCOUNT]: LISTED },
          next: 'sbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbE=',
        },
      },
    ],
  }),
  debug_storageRangeAt: defineMethod({
    summary: 'Storage of an account before a transaction of a block, in the order of hashed slots.',
    params: [
      param('blockHash', hashCodec, 'hash of the block'),
      param('transactionIndex', indexCodec, 'transactions of the block that have run'),
      param('address', addressCodec, 'account'),
      param('keyStart', trieKeyCodec, 'hashed slot to begin with, in hex'),
      param('maxResults', count, 'slots wanted, at most 1024'),
    ],
    result: storageRangeCodec,
    errors: [
      ...STATE_ERRORS,
      'GENESIS_NOT_TRACEABLE',
      'TRANSACTION_NOT_FOUND',
      'STATE_OBJECT_NOT_FOUND',
      'EXECUTION_TIMEOUT',
    ],
    accepts: [
      integersAt('go-ethereum takes the index as a JSON number', 1),
      hexForInteger('other clients write counts in hex', 4),
    ],
    source: SOURCE,
    examples: [
      {
        summary: 'the first slot',
        params: [BLOCK_HASH, '0x0', CONTRACT, '0x00', 1],
        result: {
          storage: {
            [BLOCK_HASH]: { key: `0x${'00'.repeat(32)}`, value: `0x${'00'.repeat(31)}2a` },
          },
          nextKey: null,
        },
      },
    ],
  }),
  debug_getModifiedAccountsByNumber: defineMethod({
    summary:
      'Accounts of the public state that blocks have created or changed, at most 10,000: those of one block, or of all blocks after one up to another. Accounts that were removed are not among them.',
    params: [
      param('start', lenientBlockNumberCodec, 'height, or a tag: the block, or the one before the first'),
      optionalParam('end', lenientBlockNumberCodec, 'height, or a tag: the last block'),
    ],
    ...modified,
    source: 'go-ethereum and GoQuorum, "debug"',
    examples: [
      { summary: 'of block 16', params: [16], result: [ACCOUNT, CONTRACT] },
      { summary: 'of the blocks 1 to 16', params: [0, 16], result: [ACCOUNT, CONTRACT] },
    ],
  }),
  debug_getModifiedAccountsByHash: defineMethod({
    summary: 'As debug_getModifiedAccountsByNumber, of blocks by their hashes.',
    params: [
      param('start', hashCodec, 'hash of the block, or of the one before the first'),
      optionalParam('end', hashCodec, 'hash of the last block'),
    ],
    ...modified,
    source: 'go-ethereum and GoQuorum, "debug"',
    examples: [{ summary: 'of one block', params: [BLOCK_HASH], result: [ACCOUNT, CONTRACT] }],
  }),
  debug_getBadBlocks: defineMethod({
    summary: 'The last blocks, at most 10, that were refused although their header was valid; newest first.',
    params: [],
    result: z.array(z.object({ hash: hashCodec, block: blockCodec, rlp: dataCodec, reason: z.string() })),
    source: 'Ethereum execution API, "debug"; reason is an addition',
    examples: [
      {
        summary: 'with one',
        params: [],
        result: [{ hash: BLOCK_HASH, block: BLOCK, rlp: '0xf90273', reason: 'invalid merkle root' }],
      },
    ],
  }),
};
