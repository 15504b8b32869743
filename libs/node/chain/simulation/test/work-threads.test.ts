import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { applyOverrides, type Simulation } from '@tetrad/node-execution';
import { until } from '@tetrad/testkit';
import {
  bytesFromHex,
  hexFromBytes,
  parseAddress,
  parseHash,
  silentLogger,
  silentMetrics,
} from '@tetrad/types';
import type { Work } from '../src/client-work.js';
import type { FromThread, ToThread } from '../src/threads/messages.js';
import { WorkThread, type ThreadPort, type WorkOutcome } from '../src/threads/work-thread.js';
import { WorkThreads } from '../src/threads/work-threads.js';
import { channelThread } from './channel-thread.js';
import { memoryChain, type MemoryChain } from './memory-chain.js';

const CONTRACT = parseAddress(`0x${'aa'.repeat(20)}`);
/** Returns a word. */
const ANSWERS = '0x60015f5260205ff3';
/** Returns slot 0. */
const READS_SLOT = '0x5f545f5260205ff3';
/** JUMPDEST; JUMP. */
const LOOPS = '0x5b5f56';
/** Stores the remaining gas in a new slot, in an endless loop. */
const FILLS_SLOTS = '0x5b5a5a555f56';
const call = (gas = 100_000n): Work<'call'> => ({ kind: 'call', request: { to: CONTRACT, gas } });

/** A fake thread whose messages and end the test triggers. */
class ManualThread implements ThreadPort {
  readonly received: ToThread[] = [];
  isStopped = false;
  say: (message: FromThread) => void = () => undefined;
  end: (reason: Error) => void = () => undefined;

  post(message: ToThread): void {
    this.received.push(structuredClone(message));
  }

  onMessage(listener: (message: FromThread) => void): void {
    this.say = listener;
  }

  onEnd(listener: (reason: Error) => void): void {
    this.end = listener;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.end(new Error('it was stopped'));
  }
}

let chain: MemoryChain;
beforeAll(async () => {
  chain = await memoryChain();
});

async function simulationOf(code: string, signal?: AbortSignal): Promise<Simulation> {
  const world = chain.world.copy();
  const simulation = { ...chain, world, ...(signal === undefined ? {} : { signal }) };
  await applyOverrides(world, new Map([[CONTRACT, { code: bytesFromHex(code) }]]));
  return simulation;
}

const open: WorkThreads[] = [];
afterEach(() => Promise.all(open.splice(0).map((threads) => threads.close())));

function threadsOf(most: number, startThread?: () => ThreadPort): WorkThreads {
  const start = startThread === undefined ? {} : { startThread };
  const threads = new WorkThreads({
    threads: most,
    heapMb: 64,
    logger: silentLogger,
    metrics: silentMetrics,
    ...start,
  });
  open.push(threads);
  return threads;
}

/** Manual threads by the order in which they were started. */
function manualThreads(most: number) {
  const started: ManualThread[] = [];
  const threads = threadsOf(most, () => {
    const thread = new ManualThread();
    started.push(thread);
    return thread;
  });
  return { threads, started };
}

function oneThread(abortTimeoutMs = 60_000) {
  const port = new ManualThread();
  const outcomes: WorkOutcome[] = [];
  const onOutcome = (outcome: WorkOutcome) => void outcomes.push(outcome);
  const thread = new WorkThread(port, {
    abortTimeoutMs,
    onOutcome,
    onReads: () => undefined,
    onEnd: () => undefined,
  });
  return { port, thread, outcomes };
}

describe('threads for the work of clients', () => {
  it('are started one by one while all have work, and then share the work', async () => {
    const { threads, started } = manualThreads(2);
    for (let count = 0; count < 4; count++)
      void threads.run(await simulationOf(ANSWERS), call()).catch(() => undefined);
    expect(started.map(({ received }) => received.length)).toEqual([2, 2]);
  });

  it('fail the calls of a thread that ends with its reason, and replace the thread', async () => {
    const { threads, started } = manualThreads(1);
    const lost = threads.run(await simulationOf(ANSWERS), call());
    started[0]?.end(new Error('out of memory'));
    await expect(lost).rejects.toMatchObject({
      code: 'EXECUTION_FAILED',
      message: "the execution's thread ended: out of memory",
    });
    void threads.run(await simulationOf(ANSWERS), call()).catch(() => undefined);
    expect(started).toHaveLength(2);
  });

  it('run work on private state in the calling thread', async () => {
    const { threads, started } = manualThreads(1);
    const outcome = await threads.run({ ...(await simulationOf(ANSWERS)), hooksOf: () => ({}) }, call());
    expect(outcome.returnData).toHaveLength(32);
    expect(started).toHaveLength(0);
  });

  it('see slots of an account that is not stored', async () => {
    const threads = threadsOf(1, channelThread);
    const simulation = await simulationOf(READS_SLOT);
    const zero = parseHash(`0x${'0'.repeat(64)}`);
    const value = parseHash(`0x${'2a'.padStart(64, '0')}`);
    await applyOverrides(simulation.world, new Map([[CONTRACT, { stateDiff: new Map([[zero, value]]) }]]));
    expect(hexFromBytes((await threads.run(simulation, call())).returnData)).toBe(value);
  });

  it('end running work when they are closed, and accept no more', async () => {
    const threads = threadsOf(1, channelThread);
    const running = threads.run(await simulationOf(LOOPS), call(2n ** 50n));
    const ended = expect(running).rejects.toMatchObject({ code: 'EXECUTION_ABORTED' });
    await threads.close();
    await ended;
    const next = threads.run(await simulationOf(ANSWERS), call());
    await expect(next).rejects.toMatchObject({ code: 'EXECUTION_ABORTED' });
  });

  it('serve other calls during an endless one, which stops at its signal', async () => {
    const threads = threadsOf(1, channelThread);
    const controller = new AbortController();
    const endless = threads.run(await simulationOf(LOOPS, controller.signal), call(2n ** 50n));
    const stopped = expect(endless).rejects.toMatchObject({ code: 'EXECUTION_ABORTED' });
    const { returnData } = await threads.run(await simulationOf(ANSWERS), call());
    expect(returnData).toHaveLength(32);
    controller.abort();
    await stopped;
  });

  it('fail a call that runs when their memory is full, and answer the next', async () => {
    let isFull = false;
    const threads = threadsOf(1, () => channelThread(() => isFull));
    const long = (code: string) =>
      simulationOf(code).then((simulation) => threads.run(simulation, call(2n ** 50n)));
    const greedy = expect(long(LOOPS)).rejects.toMatchObject({
      code: 'EXECUTION_FAILED',
      message: 'the execution needs more memory than its thread has',
    });
    isFull = true;
    await greedy;
    const { returnData } = await threads.run(await simulationOf(ANSWERS), call());
    expect(returnData).toHaveLength(32);
  });

  it('of Node.js fail each call that takes all their memory, and live on', async () => {
    const threads = threadsOf(1);
    for (let count = 0; count < 3; count++) {
      const greedy = threads.run(await simulationOf(FILLS_SLOTS), call(2n ** 50n));
      await expect(greedy).rejects.toMatchObject({
        code: 'EXECUTION_FAILED',
        message: 'the execution needs more memory than its thread has',
      });
      const { returnData } = await threads.run(await simulationOf(ANSWERS), call());
      expect(returnData).toHaveLength(32);
    }
  });
});

describe('a thread for the work of clients', () => {
  it('waits for a place when the work takes long', async () => {
    const { port, thread } = oneThread();
    const asked: number[] = [];
    const onLong = async () => void asked.push(port.received.length);
    void thread.run({ ...(await simulationOf(LOOPS)), onLong }, call()).catch(() => undefined);
    port.say({ id: 0, kind: 'long' });
    await until(async () => port.received.some(({ kind }) => kind === 'goOn'));
    expect(asked).toEqual([1]);
  });

  it('fails with the error of reading the state, and aborts the work', async () => {
    const { port, thread, outcomes } = oneThread();
    const simulation = await simulationOf(ANSWERS);
    const block = { ...simulation.block, findBlockHash: () => Promise.reject(new Error('no database')) };
    const running = thread.run({ ...simulation, block }, call());
    port.say({ id: 0, kind: 'missing', missing: [{ kind: 'blockHash', number: 0 }] });
    await expect(running).rejects.toThrow('no database');
    expect(port.received.map(({ kind }) => kind)).toEqual(['run', 'abort']);
    expect(outcomes).toEqual(['aborted']);
  });

  it('is ended when it does not stop', async () => {
    const { port, thread } = oneThread(1);
    const controller = new AbortController();
    const running = thread.run(await simulationOf(LOOPS, controller.signal), call());
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'EXECUTION_ABORTED' });
    await until(async () => port.isStopped);
  });

  it('is not ended when it confirms that it stopped', async () => {
    const { port, thread } = oneThread();
    const controller = new AbortController();
    const running = thread.run(await simulationOf(LOOPS, controller.signal), call());
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'EXECUTION_ABORTED' });
    expect(thread.load).toBe(1);
    port.say({
      id: 0,
      kind: 'failed',
      failure: { name: 'ExecutionAbortedError', message: 'execution aborted' },
    });
    expect(thread.load).toBe(0);
    expect(port.isStopped).toBe(false);
  });
});
