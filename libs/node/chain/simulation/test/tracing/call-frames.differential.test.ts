import { describe, expect, it } from '@jest/globals';
import { FAILURE, executeCall } from '@tetrad/node-evm';
import { seededRandom } from '@tetrad/testkit';
import { isSameFailure } from '../../../evm/test/fuzz/description.js';
import { executionGasOf } from '../../../evm/test/fuzz/own-run.js';
import { scenarioOf, type Scenario } from '../../../evm/test/fuzz/random-world.js';
import { NO_BUDGET, traceCalls, type CallFrame } from '../../src/index.js';
import { oracleFrames } from './oracle/call-frames.js';
import { stageOf } from './scenario-stage.js';

const SEEDS = Array.from({ length: 600 }, (_, n) => 80_000 + n);
const NEVER_STARTED: readonly string[] = [FAILURE.insufficientBalance, FAILURE.depth, FAILURE.nonceOverflow];

const trace = (scenario: Scenario, cold = false): Promise<CallFrame> =>
  traceCalls(stageOf(scenario, cold), scenario.request, {
    onlyTopCall: false,
    withLog: true,
    revertReason: () => undefined,
    budget: NO_BUDGET,
  });

/** The calls that started, without their errors, which differ in words. */
function started({ calls, error: _error, logs: _logs, ...frame }: CallFrame): object {
  const inner = (calls ?? [])
    .filter(({ error, gasUsed }) => error === undefined || !NEVER_STARTED.includes(error) || gasUsed > 0n)
    .map(started);
  return inner.length === 0 ? frame : { ...frame, calls: inner };
}

function* flat(frame: CallFrame): Generator<CallFrame> {
  yield frame;
  for (const inner of frame.calls ?? []) yield* flat(inner);
}

describe('calls of random programs', () => {
  it('are those of EthereumJS, and those that did not start', async () => {
    const unstarted = new Set<string>();
    for (const seed of SEEDS) {
      const scenario = scenarioOf(seededRandom(seed));
      const [ours, theirs] = [await trace(scenario), await oracleFrames(scenario)];
      // Our gas is that of the transaction, the oracle's that of the message.
      Object.assign(ours, { gas: BigInt(executionGasOf(scenario)), gasUsed: theirs.gasUsed });
      expect({ seed, frame: started(ours) }).toEqual({ seed, frame: started(theirs) });
      expect([seed, isSameFailure(ours.error, theirs.error)]).toEqual([seed, true]);
      for (const { error } of flat(ours)) if (NEVER_STARTED.includes(error ?? '')) unstarted.add(error ?? '');
    }
    expect([...unstarted]).toContain(FAILURE.insufficientBalance);
  });

  it('are the same when everything must be fetched first', async () => {
    for (const seed of SEEDS.slice(0, 100)) {
      const scenario = scenarioOf(seededRandom(seed));
      expect(await trace(scenario, true)).toEqual(await trace(scenario));
    }
  });

  it('hold the logs of the execution, each where it was written', async () => {
    let found = 0;
    for (const seed of SEEDS.slice(0, 200)) {
      const scenario = scenarioOf(seededRandom(seed));
      const { context, world } = stageOf(scenario);
      const { logs } = await executeCall(context, scenario.request, world);
      const shown = [...flat(await trace(scenario))].flatMap((frame) => frame.logs ?? []);
      const text = ({ address, topics, data }: (typeof logs)[number]) =>
        [address, ...topics, Buffer.from(data).toString('hex')].join(' ');
      expect({ seed, logs: shown.map(text).sort() }).toEqual({ seed, logs: logs.map(text).sort() });
      found += shown.length;
    }
    expect(found).toBeGreaterThan(20);
  });
});
