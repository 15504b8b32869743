import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { scenarioOf, type Scenario } from '../../../evm/test/fuzz/random-world.js';
import { NO_BUDGET, traceStructLogs, type StructLog } from '../../src/index.js';
import { UNKNOWN_COST, oracleStructLogs } from './oracle/struct-logs.js';
import { stageOf } from './scenario-stage.js';

const SEEDS = Array.from({ length: 300 }, (_, n) => 70_000 + n);

/** In words that both share: EthereumJS shows no STOP behind the end of a code, and knows no unknown opcodes by number. */
function comparable(logs: readonly StructLog[]) {
  return logs
    .filter(({ op }) => op !== 'STOP')
    .map(({ refund, ...log }) => ({
      ...log,
      op: log.op.startsWith('opcode') ? 'INVALID' : log.op,
      // geth counts what SELFDESTRUCT adds, as with SSTORE; EthereumJS does not yet.
      ...(log.error === undefined ? (log.op === 'SELFDESTRUCT' ? {} : { refund }) : { error: 'failed' }),
      // The cost of an opcode that was never charged differs between the two.
      gasCost: log.error === undefined ? log.gasCost : 0,
    }));
}

/** The costs that EthereumJS does not know are left out on both sides. */
function withoutUnknown(logs: ReturnType<typeof comparable>, theirs: ReturnType<typeof comparable>) {
  return logs.map((log, n) =>
    theirs[n]?.gasCost === UNKNOWN_COST ? { ...log, gasCost: UNKNOWN_COST } : log,
  );
}

const trace = async (scenario: Scenario, cold = false) =>
  (
    await traceStructLogs(stageOf(scenario, cold), scenario.request, {
      enableMemory: true,
      budget: NO_BUDGET,
    })
  ).structLogs;

/** Thousands of logs, of which `toEqual` takes longer than the programs: it is asked where they differ, if they do. */
function expectSame(ours: unknown, theirs: unknown): void {
  if (!isDeepStrictEqual(ours, theirs)) expect(ours).toEqual(theirs);
}

describe('struct logs of random programs', () => {
  it('are those of EthereumJS: position, gas, cost, refund, stack, memory, storage', async () => {
    for (const seed of SEEDS) {
      const scenario = scenarioOf(seededRandom(seed));
      const theirs = comparable(await oracleStructLogs(scenario));
      const ours = withoutUnknown(comparable(await trace(scenario)), theirs);
      expectSame({ seed, logs: ours }, { seed, logs: theirs });
    }
  });

  it('are the same when everything must be fetched first', async () => {
    for (const seed of SEEDS.slice(0, 40)) {
      const scenario = scenarioOf(seededRandom(seed));
      expectSame(await trace(scenario, true), await trace(scenario));
    }
  });
});
