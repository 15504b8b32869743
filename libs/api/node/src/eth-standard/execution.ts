import { dataCodec, defineMethod, optionalParam, param, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, CONTRACT, RECIPIENT } from '../examples.js';
import { EXECUTION_ERRORS } from '../errors.js';
import { accessListCodec } from '../wire/transaction.js';
import { blockOverridesCodec } from '../wire/block-overrides.js';
import { blockReferenceCodec } from '../wire/block-reference.js';
import { callRequestCodec } from '../wire/call-request.js';
import { stateOverridesCodec } from '../wire/state-overrides.js';

const SOURCE = 'Ethereum execution API, "execute"';

const request = param('transaction', callRequestCodec, 'what to run; nothing is signed or stored');
const block = optionalParam('block', blockReferenceCodec, 'block to run after; the latest when left out');
const pendingBlock = optionalParam(
  'block',
  blockReferenceCodec,
  'block to run after; `pending` when left out',
);
const blockOverrides = optionalParam(
  'blockOverrides',
  blockOverridesCodec,
  'how the block looks during this call',
);
const overrides = optionalParam('stateOverrides', stateOverridesCodec, 'how accounts look during this call');

const accessListResult = z.object({
  accessList: accessListCodec,
  gasUsed: quantityCodec,
  /** Set when the execution failed. */
  error: z.string().optional(),
});

/** Executions that leave nothing behind. A revert is answered with code 3 and the revert bytes as data. */
export const ethExecutionMethods = {
  eth_call: defineMethod({
    summary: 'Runs a call and gives what it returns; at `pending` on top of what the pool holds.',
    params: [request, block, overrides, blockOverrides],
    result: dataCodec,
    errors: EXECUTION_ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'reads a token balance',
        params: [{ to: CONTRACT, data: '0x70a08231' }, 'latest'],
        result: `0x${'00'.repeat(31)}2a`,
      },
      {
        summary: 'with another balance for the sender',
        params: [
          { from: ACCOUNT, to: CONTRACT, input: '0xd0e30db0', value: '0x1' },
          'latest',
          {
            [ACCOUNT]: {
              balance: '0xde0b6b3a7640000',
              stateDiff: { [`0x${'00'.repeat(32)}`]: `0x${'00'.repeat(31)}01` },
            },
          },
        ],
        result: '0x',
      },
      {
        summary: 'in a later block',
        params: [{ to: CONTRACT, data: '0x3197cbb6' }, 'latest', {}, { time: '0x7fffffff' }],
        result: `0x${'00'.repeat(31)}01`,
      },
    ],
  }),
  eth_estimateGas: defineMethod({
    summary:
      'Least gas limit with which the transaction runs to its end; without a block on top of what the pool holds.',
    params: [request, pendingBlock, overrides, blockOverrides],
    result: quantityCodec,
    errors: [...EXECUTION_ERRORS, 'GAS_REQUIRED_EXCEEDS_ALLOWANCE'],
    source: SOURCE,
    examples: [
      {
        summary: 'of a transfer',
        params: [{ from: ACCOUNT, to: RECIPIENT, value: '0x1' }],
        result: '0x5208',
      },
    ],
  }),
  eth_createAccessList: defineMethod({
    summary: 'Addresses and slots that the transaction touches, and its gas with that list.',
    params: [request, block],
    result: accessListResult,
    errors: [...EXECUTION_ERRORS, 'GAS_REQUIRED_EXCEEDS_ALLOWANCE'],
    source: SOURCE,
    examples: [
      {
        summary: 'of a token transfer',
        params: [{ from: ACCOUNT, to: CONTRACT, data: '0xa9059cbb' }, 'latest'],
        result: {
          accessList: [{ address: CONTRACT, storageKeys: [`0x${'00'.repeat(31)}05`] }],
          gasUsed: '0x125f8',
        },
      },
    ],
  }),
};
