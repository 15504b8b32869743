import { defineMethod, hashCodec, optionalParam, param } from '@tetrad/rpc';
import { ACCOUNT, BLOCK_HASH, CONTRACT, TRANSACTION_HASH } from './examples.js';
import { ACCOUNT_STATE_ERRORS } from './errors.js';
import { blockNumberOrTagCodec, blockReferenceCodec } from './wire/block-reference.js';
import { callRequestCodec } from './wire/call-request.js';
import { blockTraceCodec, callTraceOptionsSchema, traceCodec, traceOptionsSchema } from './wire/trace.js';

const SOURCE = 'go-ethereum, "debug"';

const options = optionalParam('options', traceOptionsSchema, 'what to record');
const BLOCK_ERRORS = [
  ...ACCOUNT_STATE_ERRORS,
  'TRANSACTION_MANAGER_UNAVAILABLE',
  'GENESIS_NOT_TRACEABLE',
  'EXECUTION_TIMEOUT',
  'RESPONSE_TOO_LARGE',
] as const;

const FRAME = {
  type: 'CALL',
  from: ACCOUNT,
  to: CONTRACT,
  value: '0x0',
  gas: '0x15f90',
  gasUsed: '0x523f',
  input: '0x',
};

/** Executions of whole blocks and of calls with a record of them. */
export const debugTraceMethods = {
  debug_traceBlockByNumber: defineMethod({
    summary: 'Runs the transactions of a block again on the state before it, and records each of them.',
    params: [param('block', blockNumberOrTagCodec, 'height or tag'), options],
    result: blockTraceCodec,
    errors: BLOCK_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'call by call',
        params: ['0x10', { tracer: 'callTracer' }],
        result: [{ txHash: TRANSACTION_HASH, result: FRAME }],
      },
    ],
  }),
  debug_traceBlockByHash: defineMethod({
    summary: 'Runs the transactions of a block again on the state before it, and records each of them.',
    params: [param('blockHash', hashCodec, 'hash of the block'), options],
    result: blockTraceCodec,
    errors: BLOCK_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'the functions that are called',
        params: [BLOCK_HASH, { tracer: '4byteTracer' }],
        result: [{ txHash: TRANSACTION_HASH, result: { '0xa9059cbb-64': 1 } }],
      },
    ],
  }),
  debug_traceCall: defineMethod({
    summary: 'Runs a call on the state of a block and records it.',
    params: [
      param('transaction', callRequestCodec, 'what to run; nothing is signed or stored'),
      optionalParam('block', blockReferenceCodec, 'block to run after; the latest when left out'),
      optionalParam('options', callTraceOptionsSchema, 'what to record, and what the call pretends'),
    ],
    result: traceCodec,
    errors: [
      ...ACCOUNT_STATE_ERRORS,
      'EXECUTION_FAILED',
      'EXECUTION_TIMEOUT',
      'TIP_ABOVE_FEE_CAP',
      'TRANSACTION_NOT_FOUND',
      'GENESIS_NOT_TRACEABLE',
      'RESPONSE_TOO_LARGE',
    ],
    source: SOURCE,
    examples: [
      {
        summary: 'the accounts that it needs',
        params: [{ from: ACCOUNT, to: CONTRACT, data: '0xa9059cbb' }, 'latest', { tracer: 'prestateTracer' }],
        result: {
          [ACCOUNT]: { balance: '0xde0b6b3a7640000', nonce: 7 },
          [CONTRACT]: {
            balance: '0x0',
            code: '0x6080604052',
            storage: { [`0x${'00'.repeat(32)}`]: `0x${'00'.repeat(31)}2a` },
          },
        },
      },
      {
        summary: 'what it changes',
        params: [
          { from: ACCOUNT, to: CONTRACT },
          'latest',
          { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
        ],
        result: { pre: { [ACCOUNT]: { balance: '0x1' } }, post: { [ACCOUNT]: { balance: '0x0' } } },
      },
    ],
  }),
};
