import { afterEach, describe, expect, it } from '@jest/globals';
import { JobThread } from './job-thread.js';
import type { Reply } from './serve-jobs.js';
import { ThreadPool } from './thread-pool.js';
import { startThread, threadFile, type Thread } from './thread.js';

type Job =
  { readonly do: 'echo'; readonly bytes: Uint8Array } | { readonly do: 'throw' | 'exit' | 'crash' | 'hang' };

/** As `serveJobs`, from a text: no build has to be there. */
const PROGRAM = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (job) => {
  if (job.do === 'exit') process.exit(7);
  if (job.do === 'crash') throw new Error('crashed');
  if (job.do === 'hang') return;
  if (job.do === 'throw') return parentPort.postMessage({ error: new TypeError('not this one') });
  parentPort.postMessage({ answer: job.bytes });
});
`;

let started = 0;
/** Threads that can be started. */
let limit = Infinity;
const pools: ThreadPool<Job, Uint8Array>[] = [];

function startOne(): Thread<Job, Reply<Uint8Array>> {
  if (started === limit) throw new Error('no more threads');
  started += 1;
  return startThread(PROGRAM, { eval: true, execArgv: [] });
}

function poolOf(workers: number, bounds: { maxWaiting?: number; timeMs?: number } = {}) {
  started = 0;
  limit = Infinity;
  const { maxWaiting = 100, timeMs = 60_000 } = bounds;
  const pool = new ThreadPool<Job, Uint8Array>({ workers, maxWaiting, timeMs, startThread: startOne });
  pools.push(pool);
  return pool;
}

const echo = (byte: number): Job => ({ do: 'echo', bytes: Uint8Array.of(byte) });

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('a pool of threads', () => {
  it('does more jobs than it has threads, and answers each', async () => {
    const pool = poolOf(2);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => pool.run(echo(at))));
    expect(answers.map((bytes) => bytes[0])).toEqual(Array.from({ length: 20 }, (_, at) => at));
    expect(started).toBe(2);
    expect(pool.waiting).toBe(0);
  });

  it('transfers the named buffers, and leaves the others with the caller', async () => {
    const pool = poolOf(1);
    const [moved, copied] = [Uint8Array.of(1), Uint8Array.of(2)];
    await pool.run({ do: 'echo', bytes: moved }, [moved.buffer]);
    await pool.run({ do: 'echo', bytes: copied });
    expect([moved.length, copied.length]).toEqual([0, 1]);
  });

  it('passes on what the work throws, with the thread going on', async () => {
    const pool = poolOf(1);
    await expect(pool.run({ do: 'throw' })).rejects.toThrow('not this one');
    expect(await pool.run(echo(1))).toEqual(Uint8Array.of(1));
    expect(started).toBe(1);
  });

  it.each([
    ['exit', 'the thread ended: exit code 7'],
    ['crash', 'the thread ended: crashed'],
  ] as const)(
    'fails the job whose thread is ended by %s, and does the others on a new one',
    async (how, reason) => {
      const pool = poolOf(1);
      const lost = expect(pool.run({ do: how })).rejects.toThrow(reason);
      const others = [pool.run(echo(1)), pool.run(echo(2))];
      await lost;
      expect(await Promise.all(others)).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
      expect(started).toBe(2);
    },
  );

  it('fails what waits when no other thread can be started, and goes on once one can', async () => {
    const pool = poolOf(1);
    limit = 1;
    const lost = pool.run({ do: 'exit' });
    const others = Promise.allSettled([pool.run(echo(1)), pool.run(echo(2))]);
    await expect(lost).rejects.toThrow('exit code 7');
    const reason = expect.objectContaining({ message: 'no more threads' });
    expect(await others).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    await expect(pool.run(echo(3))).rejects.toThrow('no more threads');
    limit = 2;
    expect(await pool.run(echo(4))).toEqual(Uint8Array.of(4));
  });

  it('leaves what waits to the threads that live when no other can be started', async () => {
    const pool = poolOf(2);
    limit = 2;
    const [lost, ...others] = [
      pool.run({ do: 'exit' }),
      ...Array.from({ length: 9 }, (_, at) => pool.run(echo(at))),
    ];
    const answers = Promise.all(others);
    await expect(lost).rejects.toThrow('exit code 7');
    expect(await answers).toHaveLength(9);
  });

  it('fails a job that takes too long, and replaces its thread', async () => {
    const pool = poolOf(1, { timeMs: 50 });
    await expect(pool.run({ do: 'hang' })).rejects.toThrow('the thread did not answer in 50 ms');
    expect(started).toBe(1);
    await pool.run({ do: 'hang' }).catch(() => undefined);
    expect(started).toBe(2);
  });

  it('takes no more jobs than may wait', async () => {
    const pool = poolOf(1, { maxWaiting: 1 });
    const taken = [pool.run(echo(1)), pool.run(echo(2))];
    expect(pool.waiting).toBe(1);
    await expect(pool.run(echo(3))).rejects.toThrow('1 jobs wait for a thread already');
    await Promise.all(taken);
    expect(await pool.run(echo(4))).toEqual(Uint8Array.of(4));
  });

  it('fails a job that cannot be sent, and goes on', async () => {
    const pool = poolOf(1);
    await expect(pool.run({ do: 'echo', bytes: (() => 1) as never })).rejects.toThrow('could not be cloned');
    expect(await pool.run(echo(1))).toEqual(Uint8Array.of(1));
    expect(started).toBe(1);
  });

  it('that is closed fails what runs and waits, and whatever comes', async () => {
    const pool = poolOf(1);
    const jobs = Promise.allSettled([pool.run({ do: 'hang' }), pool.run(echo(1))]);
    await pool.close();
    expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.run(echo(1))).rejects.toThrow('the threads are ended');
    await pool.close();
    expect(started).toBe(1);
  });
});

describe('a thread for one job at a time', () => {
  it('refuses a second job, and any after its end', async () => {
    const thread = new JobThread<Job, Reply<Uint8Array>>(startOne());
    const first = thread.run({ do: 'hang' });
    await expect(thread.run(echo(1))).rejects.toThrow('the thread has a job already');
    const lost = expect(first).rejects.toThrow('the thread was stopped');
    await thread.stop();
    await lost;
    expect(thread.hasEnded).toBe(true);
    await expect(thread.run(echo(1))).rejects.toThrow('the thread was stopped');
  });
});

it('the file of a thread lies beside the build, or is found from the source', () => {
  const files = ['./worker.js', '../dist/worker.js'] as const;
  expect(threadFile('file:///a/dist/pool.js', ...files).href).toBe('file:///a/dist/worker.js');
  expect(threadFile('file:///a/src/pool.ts', ...files).href).toBe('file:///a/dist/worker.js');
});
