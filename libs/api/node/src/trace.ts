import { dataCodec, defineMethod, hashCodec, param } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT_STATE_ERRORS } from './errors.js';
import { ACCOUNT, BLOCK_HASH, CONTRACT, RECIPIENT, TRANSACTION_HASH } from './examples.js';
import { changedAccountsCodec } from './wire/account-changes.js';
import { lenientBlockReferenceCodec } from './wire/block-reference.js';
import { flatTraceCodec, placedTraceCodec } from './wire/flat-trace.js';
import { traceCriteriaSchema } from './wire/trace-criteria.js';
import { vmTraceCodec } from './wire/vm-trace.js';

const SOURCE = 'OpenEthereum, Erigon and Besu, "trace"';

const REPLAY_ERRORS = [
  ...ACCOUNT_STATE_ERRORS,
  'TRANSACTION_MANAGER_UNAVAILABLE',
  'EXECUTION_TIMEOUT',
  'RESPONSE_TOO_LARGE',
] as const;

const CALL = {
  type: 'call',
  action: {
    from: ACCOUNT,
    callType: 'call',
    gas: '0xfadf8',
    input: '0x',
    to: CONTRACT,
    value: '0x5',
  },
  result: { gasUsed: '0x10', output: '0x' },
  subtraces: 0,
  traceAddress: [],
};

const PLACED = {
  ...CALL,
  blockHash: BLOCK_HASH,
  blockNumber: 16,
  transactionHash: TRANSACTION_HASH,
  transactionPosition: 0,
};

/** What a replay records. */
const traceTypesSchema = z
  .array(z.enum(['trace', 'stateDiff', 'vmTrace'], 'must be trace, stateDiff or vmTrace'))
  .max(8);

/** A transaction that was executed again. */
const replayedSchema = z.object({
  /** What the transaction returned; of a creation the code. */
  output: dataCodec,
  /** Null when it was not asked for. */
  stateDiff: changedAccountsCodec.nullable(),
  /** Empty when it was not asked for. */
  trace: z.array(flatTraceCodec).readonly(),
  /** Null when it was not asked for. */
  vmTrace: vmTraceCodec.nullable(),
  transactionHash: hashCodec,
});

export type ReplayedTransaction = z.output<typeof replayedSchema>;

/** Calls of mined transactions as one flat list, in the form of OpenEthereum. */
export const traceMethods = {
  trace_transaction: defineMethod({
    summary: 'Calls, creations and self-destructions of a mined transaction, null when it is unknown.',
    params: [param('hash', hashCodec, 'hash of the transaction')],
    result: z.array(placedTraceCodec).readonly().nullable(),
    errors: REPLAY_ERRORS,
    source: SOURCE,
    examples: [{ summary: 'of a transfer', params: [TRANSACTION_HASH], result: [PLACED] }],
  }),
  trace_block: defineMethod({
    summary: 'The same of all transactions of a block, and its reward; none of genesis.',
    params: [param('block', lenientBlockReferenceCodec, 'height, tag or hash')],
    result: z.array(placedTraceCodec).readonly(),
    errors: REPLAY_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'of a block with a transfer and a reward',
        params: ['0x10'],
        result: [
          PLACED,
          {
            type: 'reward',
            action: { author: RECIPIENT, rewardType: 'block', value: '0x1bc16d674ec80000' },
            result: null,
            subtraces: 0,
            traceAddress: [],
            blockHash: BLOCK_HASH,
            blockNumber: 16,
          },
        ],
      },
    ],
  }),
  trace_replayBlockTransactions: defineMethod({
    summary:
      'Executes the transactions of a block again and gives their output, calls, changes of the state and opcodes.',
    params: [
      param('block', lenientBlockReferenceCodec, 'height, tag or hash'),
      param('traceTypes', traceTypesSchema, 'what to record: trace, stateDiff and vmTrace'),
    ],
    result: z.array(replayedSchema).readonly(),
    errors: REPLAY_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'calls and changes',
        params: ['0x10', ['trace', 'stateDiff']],
        result: [
          {
            output: '0x',
            stateDiff: {
              [CONTRACT]: {
                balance: { '*': { from: '0x0', to: '0x5' } },
                code: '=',
                nonce: '=',
                storage: {
                  [`0x${'00'.repeat(32)}`]: {
                    '*': { from: `0x${'00'.repeat(32)}`, to: `0x${'00'.repeat(31)}2a` },
                  },
                },
              },
            },
            trace: [CALL],
            vmTrace: null,
            transactionHash: TRANSACTION_HASH,
          },
        ],
      },
    ],
  }),
  trace_replayTransaction: defineMethod({
    summary: 'Executes a mined transaction again, as trace_replayBlockTransactions; null when it is unknown.',
    params: [
      param('hash', hashCodec, 'hash of the transaction'),
      param('traceTypes', traceTypesSchema, 'what to record: trace, stateDiff and vmTrace'),
    ],
    result: replayedSchema.nullable(),
    errors: REPLAY_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'calls alone',
        params: [TRANSACTION_HASH, ['trace']],
        result: {
          output: '0x',
          stateDiff: null,
          trace: [CALL],
          vmTrace: null,
          transactionHash: TRANSACTION_HASH,
        },
      },
      {
        summary: 'opcodes',
        params: [TRANSACTION_HASH, ['vmTrace']],
        result: {
          output: '0x',
          stateDiff: null,
          trace: [],
          vmTrace: {
            code: '0x602a5f5500',
            ops: [
              {
                cost: 3,
                ex: { mem: null, push: ['0x2a'], store: null, used: 1_027_573 },
                pc: 0,
                sub: null,
                op: 'PUSH1',
                idx: '0-0',
              },
            ],
          },
          transactionHash: TRANSACTION_HASH,
        },
      },
    ],
  }),
  trace_filter: defineMethod({
    summary: 'Calls, creations, self-destructions and rewards of a range of blocks, by address.',
    params: [param('filter', traceCriteriaSchema, 'blocks and addresses; after and count are for pages')],
    result: z.array(placedTraceCodec).readonly(),
    errors: [...REPLAY_ERRORS, 'INVALID_TRACE_RANGE', 'TRACE_LIMIT_EXCEEDED'],
    source: SOURCE,
    examples: [
      {
        summary: 'the first call to a contract in a range',
        params: [{ fromBlock: '0x10', toBlock: '0x20', toAddress: [CONTRACT], count: 1 }],
        result: [PLACED],
      },
    ],
  }),
};
