import { describe, expect, it, jest } from '@jest/globals';
import type { GuardedProcess } from './guarded-process.js';
import { KeptServer, restartDelayMs } from './kept-server.js';

/** A server that ends when the test ends it. */
function fakeServer() {
  let end: (how: string) => void = () => undefined;
  let isOver = false;
  const exited = new Promise<string>((done) => (end = done));
  void exited.then(() => (isOver = true));
  const server: GuardedProcess = {
    hasExited: () => isOver,
    exited,
    pid: Promise.resolve(undefined),
    stop: async () => end('stopped'),
  };
  return { server, end: (how: string) => end(how) };
}

describe('a server that is restarted', () => {
  it('is waited for longer each time, up to a bound', () => {
    expect([1, 2, 3, 7, 8, 12, 100].map(restartDelayMs)).toEqual([
      100, 200, 400, 6_400, 10_000, 10_000, 10_000,
    ]);
  });

  it('is given up, with the reason, when it cannot be restarted', async () => {
    jest.useFakeTimers();
    try {
      const { server, end } = fakeServer();
      let starts = 0;
      const lost = new Promise<string>((done) => {
        const restart = async () => {
          starts += 1;
          throw new Error('did not start: no space left on device');
        };
        new KeptServer(server, restart, { onLost: done });
      });
      end('was ended by SIGKILL');
      await jest.advanceTimersByTimeAsync(120_000);
      expect(await lost).toBe('does not stay up: did not start: no space left on device');
      expect(starts).toBe(12);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is restarted as often as it is killed, while it serves in between', async () => {
    jest.useFakeTimers();
    try {
      let running = fakeServer();
      let starts = 0;
      const onLost = jest.fn();
      const restart = async () => {
        starts += 1;
        running = fakeServer();
        return running.server;
      };
      new KeptServer(running.server, restart, { onLost });
      for (let kills = 0; kills < 50; kills += 1) {
        await jest.advanceTimersByTimeAsync(15_000);
        running.end('was ended by SIGKILL');
      }
      await jest.advanceTimersByTimeAsync(15_000);
      expect(starts).toBe(50);
      expect(onLost).not.toHaveBeenCalled();
    } finally {
      jest.useRealTimers();
    }
  });

  it('is not restarted once it is being stopped, in any state', async () => {
    const { server, end } = fakeServer();
    const restart = jest.fn(async () => fakeServer().server);
    const kept = new KeptServer(server, restart, {
      onDown: () => void kept.stop((one) => one.stop(0, () => undefined)),
    });
    end('ended with code 1');
    await kept.stop((one) => one.stop(0, () => undefined));
    expect(restart).not.toHaveBeenCalled();
  });

  it('is left as it ended when restarts are off', async () => {
    const { server, end } = fakeServer();
    const downs: string[] = [];
    const kept = new KeptServer(server, undefined, { onDown: (why) => downs.push(why) });
    end('was killed');
    await server.exited;
    await kept.stop(async () => undefined);
    expect(downs).toEqual([]);
  });
});
