import { describe, expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForkName } from '../genesis/forks.js';
import { genesisState } from '../state/genesis-state.js';
import { MemoryState } from '../testing/memory-state.js';
import { blockOf, testGenesis } from '../testing/run-state-test.js';
import { createExecutor } from './executor.js';
import { messageGas, rulesOf } from '@tetrad/node-evm';
import { call } from './simulate.js';

interface PrecompileVector {
  readonly name: string;
  readonly fork: ForkName;
  readonly address: string;
  readonly input: string;
  readonly output?: string;
  /** 0 where the source does not state it. */
  readonly gas?: number;
  readonly fails?: boolean;
}

const file = join(import.meta.dirname, '../../vectors/precompiles/precompiles.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly PrecompileVector[];

const GAS = 30_000_000n;
const env = {
  coinbase: `0x${'c0'.repeat(20)}`,
  difficulty: '0x1',
  gasLimit: '0x5f5e100',
  number: '0x1',
  timestamp: '0x1',
};

/** Calls the precompile from outside; `gasFor` says what the whole call costs when the precompile takes `own`. */
async function run({ fork, address, input }: PrecompileVector) {
  const memory = new MemoryState();
  const genesis = testGenesis(fork, {});
  const executor = createExecutor(genesis);
  const root = memory.store(await genesisState(genesis, memory.database));
  const block = blockOf(env, true);
  const data = bytesFromHex(input);
  const subject = { creation: false, data, accessList: [] };
  const { intrinsic, floor } = messageGas(subject, rulesOf(executor.rules(block).fork));
  const outcome = await call(
    { executor, block, world: await memory.database.openWorld(root) },
    { to: parseAddress(address), data, gas: GAS },
  );
  const gasFor = (own: number) => BigInt(Math.max(intrinsic + own, floor));
  return { outcome, gasFor };
}

describe('precompiles', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    const { outcome, gasFor } = await run(vector);
    if (vector.fails === true) {
      expect(outcome.failure).toBeDefined();
      return;
    }
    expect(outcome.failure).toBeUndefined();
    expect(hexFromBytes(outcome.returnData)).toBe(vector.output);
    if (vector.gas !== undefined && vector.gas > 0) expect(outcome.gasSpent).toBe(gasFor(vector.gas));
  });
});
