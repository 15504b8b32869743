import { countFirst, dataCodec, defineMethod, optionalParam, param, quantityCodec } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, BLOCK, RECIPIENT } from '../examples.js';
import { STATE_ERRORS } from '../errors.js';
import { blockOverridesCodec } from '../wire/block-overrides.js';
import { blockReferenceCodec } from '../wire/block-reference.js';
import { blockCodec } from '../wire/block.js';
import { callRequestCodec } from '../wire/call-request.js';
import { logCodec } from '../wire/log.js';
import { statusCodec } from '../wire/receipt.js';
import { stateOverridesCodec } from '../wire/state-overrides.js';

const MAX_BLOCKS = 256;
const MAX_CALLS = 10_000;

/** Blocks of messages, each on top of the one before it. */
const simulationCodec = countFirst(
  z.object({
    blockStateCalls: z
      .array(
        z.object({
          blockOverrides: blockOverridesCodec.nullish(),
          stateOverrides: stateOverridesCodec.nullish(),
          calls: z.array(callRequestCodec).nullish(),
        }),
      )
      .min(1, 'must have at least one block')
      .max(MAX_BLOCKS, `must have at most ${MAX_BLOCKS} blocks`),
    /** Whether transfers of ether are among the logs, as if 0xeeee… were a token. */
    traceTransfers: z.boolean().nullish(),
    /** Whether nonces, balances and the base fee must be in order, as in a block. */
    validation: z.boolean().nullish(),
    returnFullTransactions: z.boolean().nullish(),
  }),
  (simulation) =>
    countCalls(simulation) > MAX_CALLS
      ? `blockStateCalls must have at most ${MAX_CALLS} calls in all`
      : undefined,
);

/** Calls of all blocks, of a value that may have any shape. */
function countCalls(simulation: unknown): number {
  const { blockStateCalls } = Object(simulation) as { readonly blockStateCalls?: unknown };
  if (!Array.isArray(blockStateCalls)) return 0;
  return blockStateCalls.reduce<number>((sum, block) => {
    const { calls } = Object(block) as { readonly calls?: unknown };
    return sum + (Array.isArray(calls) ? calls.length : 0);
  }, 0);
}

/** Outcome of one message. */
const callResultCodec = z.object({
  returnData: dataCodec,
  logs: z.array(logCodec),
  gasUsed: quantityCodec,
  status: statusCodec,
  /** Code 3 with the revert bytes as data, or -32015 for any other failure. */
  error: z.object({ code: z.int(), message: z.string(), data: dataCodec.optional() }).optional(),
});

export type SimulatedCallView = z.output<typeof callResultCodec>;

const simulatedBlockCodec = z.object({ ...blockCodec.shape, calls: z.array(callResultCodec) });

export type SimulatedBlockView = z.output<typeof simulatedBlockCodec>;

/** Executions of whole blocks that leave nothing behind. */
export const ethSimulationMethods = {
  eth_simulateV1: defineMethod({
    summary: 'Runs blocks of messages on top of a block, each on the state after the one before it.',
    params: [
      param('simulation', simulationCodec, 'blocks to run'),
      optionalParam('block', blockReferenceCodec, 'block to begin after; the latest when left out'),
    ],
    result: z.array(simulatedBlockCodec),
    errors: [
      ...STATE_ERRORS,
      'EXECUTION_FAILED',
      'EXECUTION_TIMEOUT',
      'SIMULATION_NONCE_TOO_LOW',
      'SIMULATION_NONCE_TOO_HIGH',
      'SIMULATION_FEE_TOO_LOW',
      'SIMULATION_INTRINSIC_GAS',
      'SIMULATION_INSUFFICIENT_FUNDS',
      'SIMULATION_GAS_LIMIT_REACHED',
      'SIMULATION_BLOCK_NUMBER',
      'SIMULATION_BLOCK_TIMESTAMP',
      'SIMULATION_SENDER_NOT_EOA',
      'SIMULATION_INIT_CODE_TOO_LARGE',
      'SIMULATION_LIMIT_EXCEEDED',
    ],
    source: 'Ethereum execution API, "execute"',
    examples: [
      {
        summary: 'of one transfer',
        params: [
          {
            blockStateCalls: [
              {
                stateOverrides: { [ACCOUNT]: { balance: '0x1' } },
                calls: [{ from: ACCOUNT, to: RECIPIENT, value: '0x1' }],
              },
            ],
          },
          'latest',
        ],
        result: [{ ...BLOCK, calls: [{ returnData: '0x', logs: [], gasUsed: '0x5208', status: '0x1' }] }],
      },
    ],
  }),
};
