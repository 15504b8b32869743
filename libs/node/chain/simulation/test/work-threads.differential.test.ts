import { afterAll, describe, expect, it } from '@jest/globals';
import {
  applyOverrides,
  overrideBlock,
  type Simulation,
  type AccountOverride,
  type ForkName,
  type StateOverrides,
} from '@tetrad/node-execution';
import { addressFromWord, executeTransaction } from '@tetrad/node-evm';
import { seededRandom } from '@tetrad/testkit';
import {
  parseHash,
  silentLogger,
  silentMetrics,
  type Address,
  type Hash,
  type SignedTransaction,
} from '@tetrad/types';
import { CONTRACTS } from '../../evm/test/fuzz/contracts.js';
import { SENDER, scenarioOf, type Scenario } from '../../evm/test/fuzz/random-world.js';
import { runWork, type Work } from '../src/client-work.js';
import { WorkThreads } from '../src/threads/work-threads.js';
import { channelThread } from './channel-thread.js';
import { memoryChain } from './memory-chain.js';

const FIRST_SEED = 7_000_001;
const SCENARIOS = 60;

const threads = new WorkThreads({
  threads: 2,
  heapMb: 64,
  logger: silentLogger,
  metrics: silentMetrics,
  startThread: channelThread,
});
afterAll(() => threads.close());

const hash = (value: number): Hash => parseHash(`0x${value.toString(16).padStart(64, '0')}`);
const contract = (index: number): Address => addressFromWord(CONTRACTS[index % CONTRACTS.length] as bigint);

/** Changes of ended transactions, as the pending state has them, and then overrides. */
async function simulationOf(scenario: Scenario, random: () => number): Promise<Simulation> {
  const { executor, block: head, world: stored } = await memoryChain(scenario.pre, forkOf(scenario));
  const context = executor.context(head);
  await executeTransaction(context, transactionOf(scenario), stored.evm).catch(() => undefined);
  const below = (limit: number) => Math.floor(random() * limit);
  const slots = new Map([[hash(below(4)), hash(below(3))]]);
  const overrides: StateOverrides = new Map<Address, AccountOverride>([
    [contract(below(8)), random() < 0.5 ? { state: slots } : { stateDiff: slots, balance: BigInt(below(9)) }],
    [
      contract(below(8)),
      random() < 0.3 ? { code: Uint8Array.of(0x5f, 0x54, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3) } : {},
    ],
  ]);
  const world = stored.copy();
  if (random() < 0.6) await applyOverrides(world, overrides);
  const block =
    random() < 0.3
      ? overrideBlock(head, {
          number: 1 + below(300),
          time: BigInt(below(1_000)),
          prevRandao: hash(below(9)),
        })
      : head;
  return { executor, block, world };
}

/** Of the names that chains have, too. */
function forkOf({ fork }: Scenario): ForkName {
  return fork === 'paris' ? 'london' : fork;
}

function transactionOf({ request }: Scenario): SignedTransaction {
  const { to, data, value } = request;
  return {
    type: 'legacy',
    hash: hash(1),
    sender: SENDER,
    raw: new Uint8Array(0),
    nonce: 3n,
    gasPrice: 0n,
    gasLimit: 400_000n,
    value,
    data,
    v: 27n,
    r: 1n,
    s: 1n,
    ...(to === undefined ? {} : { to }),
  };
}

function worksOf({ request }: Scenario, random: () => number): Work[] {
  const { from, to, value, data } = request;
  const gas = BigInt(request.gas) * (random() < 0.3 ? 20n : 1n);
  const message = { from, to, value, data, gas };
  const bounds = { answerBytes: random() < 0.9 ? 1_000_000 : 500, traceSteps: 1_000 };
  const tracers = [
    { tracer: 'callTracer' },
    { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    {},
  ] as const;
  return [
    { kind: 'call', request: message },
    { kind: 'accessList', request: message },
    { kind: 'estimate', request: message, highest: gas },
    ...tracers.map((options) => ({ kind: 'trace' as const, request: message, options, ...bounds })),
  ];
}

/** The result, or the error. */
async function settled(running: Promise<unknown>): Promise<unknown> {
  try {
    return { result: await running };
  } catch (error) {
    return { failed: (error as Error).name, message: (error as Error).message };
  }
}

describe('work on threads', () => {
  it('gives the same results, gas and errors as in the calling thread, on any state and with overrides', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCENARIOS; seed++) {
      const random = seededRandom(seed);
      const scenario = scenarioOf(random);
      const simulation = await simulationOf(scenario, random);
      const copy = (): Simulation => ({ ...simulation, world: simulation.world.copy() });
      for (const work of worksOf(scenario, random)) {
        const here = await settled(runWork(copy(), work));
        expect({ seed, work, outcome: await settled(threads.run(copy(), work)) }).toEqual({
          seed,
          work,
          outcome: here,
        });
      }
    }
  });
});
