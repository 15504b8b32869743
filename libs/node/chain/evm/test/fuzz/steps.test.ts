import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import {
  FORK_NAMES,
  FAILURE,
  addressFromWord,
  type FrameOutcome,
  type StepListener,
} from '../../src/index.js';
import { EthereumjsPrecompiles } from '../ethereumjs-precompiles.js';
import { callOracle, openOracle } from './oracle.js';
import { executionGasOf, runOwn, type Disturbance } from './own-run.js';
import { assemble } from '../speed/assemble.js';
import { CONTRACTS } from './contracts.js';
import { SENDER, scenarioOf, type Scenario } from './random-world.js';

const precompiles = await EthereumjsPrecompiles.load(FORK_NAMES);
/** Words from the top of the stack that are compared; all of them would be gigabytes. */
const WORDS = 4;

const stepText = (step: { depth: number; pc: number; op: number; gas: number; stack: readonly unknown[] }) =>
  `${step.depth} ${step.pc} ${step.op.toString(16)} ${step.gas} ${step.stack.slice(-WORDS).join(',')}`;

async function ownSteps(scenario: Scenario, disturbance: Disturbance = {}): Promise<string[]> {
  const steps: string[] = [];
  const listener: StepListener = {
    step({ stack, rules }, { depth, pc, gas, base, top, code }, op) {
      // The STOP behind the end of a code, which geth shows and EthereumJS does not.
      if (pc >= code.size) return;
      // EthereumJS has one name for all opcodes that the fork does not have.
      const shown = rules.opcodes[op] === undefined ? 0xfe : op;
      steps.push(stepText({ depth, pc, op: shown, gas, stack: stack.slice(base, top) }));
    },
  };
  await runOwn(scenario, precompiles, { ...disturbance, listener });
  return steps;
}

async function oracleSteps({ fork, pre, request }: Scenario): Promise<string[]> {
  const steps: string[] = [];
  const { evm } = await openOracle(fork, pre);
  const listen = (
    { depth, pc, opcode, gasLeft, stack }: Parameters<typeof record>[0],
    resume?: () => void,
  ) => {
    record({ depth, pc, opcode, gasLeft, stack });
    resume?.();
  };
  const record = (step: {
    depth: number;
    pc: number;
    opcode: { code: number };
    gasLeft: bigint;
    stack: bigint[];
  }) => {
    const { depth, pc, gasLeft, stack } = step;
    steps.push(stepText({ depth, pc, op: step.opcode.code, gas: Number(gasLeft), stack }));
  };
  evm.events?.on('step', listen as never);
  try {
    await callOracle(evm, request, executionGasOf({ fork, pre, request }));
  } finally {
    evm.events?.removeAllListeners('step');
  }
  return steps;
}

describe('the step listener', () => {
  it('sees each opcode with place, gas, depth and stack, as EthereumJS reports them', async () => {
    for (let seed = 50_000; seed < 50_150; seed++) {
      const scenario = scenarioOf(seededRandom(seed));
      expect([seed, ...(await ownSteps(scenario))]).toEqual([seed, ...(await oracleSteps(scenario))]);
    }
  });

  it('sees each opcode once when the execution stops at it', async () => {
    const scenario = scenarioOf(seededRandom(50_003));
    const undisturbed = await ownSteps(scenario);
    expect(await ownSteps(scenario, { cold: true, sliceGas: 5 })).toEqual(undisturbed);
  });

  it('sees frames begin and end, each inside the one that called it', async () => {
    let open = 0;
    let frames = 0;
    const outcomes: FrameOutcome[] = [];
    const listener: StepListener = {
      enter: ({ depth }) => {
        expect(depth).toBe(open++);
        frames++;
      },
      leave: ({ depth, gasLimit }, outcome) => {
        expect(depth).toBe(--open);
        expect(outcome.gasUsed).toBeLessThanOrEqual(gasLimit);
        outcomes.push(outcome);
      },
    };
    for (let seed = 1; seed < 200; seed++) {
      await runOwn(scenarioOf(seededRandom(seed)), precompiles, { listener });
      expect(open).toBe(0);
    }
    expect(outcomes).toHaveLength(frames);
    expect(outcomes.some(({ failure }) => failure === FAILURE.reverted)).toBe(true);
  });

  it('sees messages for which no frame is made, while their gas is held back', async () => {
    const code = assemble(`
      0 0 32 0 0 4 1000 CALL
      0 0 0 0 1000 0xc0de02 2000 CALL
      0 0 1000 CREATE STOP`);
    const contract = addressFromWord(CONTRACTS[0] as bigint);
    const request = { ...scenarioOf(seededRandom(1)).request, to: contract, value: 0n, gas: 200_000 };
    const scenario: Scenario = {
      fork: 'osaka',
      pre: { [SENDER]: { balance: '0x1' }, [contract]: { nonce: '0x1', code: hexFromBytes(code) } },
      request,
    };
    const seen: unknown[] = [];
    let before = 0;
    const listener: StepListener = {
      step: (_machine, { gas }) => (before = gas),
      answered({ kind, target, value, gas, depth, isPrecompile }, { gasUsed, failure }, { frame }) {
        const taken = before - (frame?.gas ?? 0);
        seen.push({ kind, target, value, gas, depth, isPrecompile, gasUsed, failure, taken });
      },
    };
    const { gasUsed, failure } = await runOwn(scenario, precompiles, { listener });
    expect(failure).toBeUndefined();
    const [identity, call, creation] = seen as { taken: number }[];
    const refused = { isPrecompile: false, gasUsed: 0, failure: FAILURE.insufficientBalance, depth: 1 };
    expect(identity).toEqual({
      kind: 'CALL',
      target: 4,
      value: 0,
      gas: 1_000,
      depth: 1,
      isPrecompile: true,
      gasUsed: 18,
      failure: undefined,
      taken: 1_000 + 100 + 3,
    });
    // A cold account, a value, and the stipend on top of the forwarded gas.
    expect(call).toEqual({
      kind: 'CALL',
      target: 0xc0de02,
      value: 1_000,
      gas: 2_000 + 2_300,
      ...refused,
      taken: 2_000 + 2_600 + 9_000 + 25_000,
    });
    expect(creation).toMatchObject({ kind: 'CREATE', value: 1_000, ...refused });
    expect(gasUsed).toBe((await runOwn(scenario, precompiles)).gasUsed);
  });
});
