import { describe, expect, it } from '@jest/globals';
import { bytesFromHex, parseAddress, type Block } from '@tetrad/types';
import { IN_THIS_THREAD } from '../src/client-work.js';
import { ExecutionGate } from '../src/execution-gate.js';
import { Simulator } from '../src/simulator.js';
import { CHAIN_BLOCK, memoryChain } from './memory-chain.js';

const CAP = 16_777_216n;
const FROM = parseAddress(`0x${'5a'.repeat(20)}`);
/** Init code that stops with more than 17,000,000 gas, and loops otherwise: PUSH4, GAS, GT, JUMPI; a loop; STOP. */
const NEEDS_MORE = bytesFromHex('0x63010366405a11600e575b600a565b00');

async function simulator(config: object) {
  const { executor, world } = await memoryChain({}, 'osaka', config);
  const block = { ...CHAIN_BLOCK, gasLimit: 60_000_000n };
  const head = { hash: `0x${'00'.repeat(32)}`, header: { number: 1 } } as unknown as Block;
  return new Simulator({
    ledger: {
      executor,
      head: () => head,
      findBlock: async () => head,
      findHeader: async () => head,
      worldAt: async () => world,
      contextOf: () => block,
    },
    pending: { open: async () => ({ world, block }) } as never,
    privateState: undefined,
    executions: new ExecutionGate({ timeoutMs: 600_000, long: 4, begun: 8, waiting: 8 }),
    runner: IN_THIS_THREAD,
    limits: { callGas: 50_000_000n, estimateGas: 50_000_000n, answerBytes: 1_000_000 },
  });
}

describe('a request that needs more gas than the rules let a transaction have', () => {
  const request = { from: FROM, data: NEEDS_MORE };
  const refusal = {
    code: 'GAS_REQUIRED_EXCEEDS_ALLOWANCE',
    message: `gas required exceeds allowance (${CAP}): the gas limit of a transaction`,
  };

  it('has no estimate and no access list, also with more gas of its own', async () => {
    const capped = await simulator({ maxTransactionGas: undefined });
    for (const one of [request, { ...request, gas: 40_000_000n }]) {
      await expect(capped.estimate(one, {})).rejects.toMatchObject(refusal);
      await expect(capped.createAccessList(one, {})).rejects.toMatchObject(refusal);
    }
  });

  it('has both on a chain whose genesis file lifts the cap, and within it', async () => {
    const open = await simulator({});
    expect(await open.estimate(request, {})).toBeGreaterThan(17_000_000n);
    expect((await open.createAccessList(request, {})).outcome.failure).toBeUndefined();
    const capped = await simulator({ maxTransactionGas: undefined });
    expect(await capped.estimate({ from: FROM, to: FROM }, {})).toBe(21_000n);
    expect((await capped.createAccessList({ from: FROM, to: FROM }, {})).accessList).toEqual([]);
  });
});
