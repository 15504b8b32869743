import { dataCodec, defineMethod, hashCodec, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, CONTRACT, TRANSACTION_HASH } from './examples.js';
import { blockReferenceCodec, lenientBlockReferenceCodec } from './wire/block-reference.js';
import { traceCodec, traceOptionsSchema } from './wire/trace.js';

const SOURCE = 'Ethereum execution API, "debug"';

const block = param('block', blockReferenceCodec, 'height, tag or hash');

/** The debug methods of the public Ethereum execution API, beyond those of the interface document. */
export const debugStandardMethods = {
  debug_getRawBlock: defineMethod({
    summary: 'RLP of a block.',
    params: [block],
    result: dataCodec,
    errors: ['BLOCK_NOT_FOUND'],
    source: SOURCE,
    examples: [{ summary: 'of the latest', params: ['latest'], result: '0xf90273' }],
  }),
  debug_getBlockRlp: defineMethod({
    summary: 'RLP of a block: the older name of debug_getRawBlock, which takes plain numbers.',
    params: [param('block', lenientBlockReferenceCodec, 'height, tag or hash')],
    result: dataCodec,
    errors: ['BLOCK_NOT_FOUND'],
    source: 'geth 1.10 and GoQuorum, "debug"; geth gave the digits without 0x',
    examples: [{ summary: 'of block 5', params: [5], result: '0xf90273' }],
  }),
  debug_getRawHeader: defineMethod({
    summary: 'RLP of a header.',
    params: [block],
    result: dataCodec,
    errors: ['BLOCK_NOT_FOUND'],
    source: SOURCE,
    examples: [{ summary: 'of the latest', params: ['latest'], result: '0xf9026e' }],
  }),
  debug_getRawReceipts: defineMethod({
    summary: 'Consensus encodings of the receipts of a block.',
    params: [block],
    result: z.array(dataCodec),
    errors: ['BLOCK_NOT_FOUND'],
    source: SOURCE,
    examples: [{ summary: 'of a block with one', params: ['0x10'], result: ['0xf90108'] }],
  }),
  debug_getRawTransaction: defineMethod({
    summary: 'Mined or pending transaction as it was submitted, empty when it is unknown.',
    params: [param('hash', hashCodec, 'hash of the transaction')],
    result: dataCodec,
    source: SOURCE,
    examples: [{ summary: 'of a transfer', params: [TRANSACTION_HASH], result: '0x02f86482053980' }],
  }),
  debug_preimage: defineMethod({
    summary: 'Address or storage slot whose Keccak-256 hash names it in the state.',
    params: [param('hash', hashCodec, 'hash of an address or of a slot')],
    result: dataCodec,
    errors: ['PREIMAGE_NOT_FOUND'],
    source: 'geth and GoQuorum, "debug"',
    examples: [
      {
        summary: 'of an account',
        params: ['0x869fd29e9c6c478846b68f4f15f1507f50c25433855696aea9d62cb988d762a6'],
        result: ACCOUNT,
      },
    ],
  }),
  debug_traceTransaction: defineMethod({
    summary: 'Runs a mined transaction again on the state before it and records every step, or every call.',
    params: [
      param('hash', hashCodec, 'hash of the transaction'),
      optionalParam('options', traceOptionsSchema, 'what to record'),
    ],
    result: traceCodec,
    errors: [
      'TRANSACTION_NOT_FOUND',
      'BLOCK_NOT_FOUND',
      'GENESIS_NOT_TRACEABLE',
      'STATE_NOT_AVAILABLE',
      'PRIVATE_STATE_NOT_AVAILABLE',
      'TRANSACTION_MANAGER_UNAVAILABLE',
      'EXECUTION_TIMEOUT',
      'RESPONSE_TOO_LARGE',
    ],
    source: SOURCE,
    examples: [
      {
        summary: 'step by step',
        params: [TRANSACTION_HASH, { disableStorage: true }],
        result: {
          gas: 21055,
          failed: false,
          returnValue: '0x',
          structLogs: [
            {
              pc: 0,
              op: 'PUSH1',
              gas: 79000,
              gasCost: 3,
              depth: 1,
              stack: ['0x80'],
              memory: [`0x${'00'.repeat(32)}`],
              storage: { [`0x${'00'.repeat(32)}`]: `0x${'00'.repeat(31)}2a` },
            },
          ],
        },
      },
      {
        summary: 'call by call',
        params: [TRANSACTION_HASH, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }],
        result: {
          type: 'CALL',
          from: ACCOUNT,
          to: CONTRACT,
          value: '0x0',
          gas: '0x15f90',
          gasUsed: '0x523f',
          input: '0xa9059cbb',
          output: '0x',
          calls: [
            { type: 'STATICCALL', from: CONTRACT, to: ACCOUNT, gas: '0x100', gasUsed: '0x0', input: '0x' },
          ],
        },
      },
    ],
  }),
};
