import { describe, expect, it } from '@jest/globals';
import type { Caller } from './caller.js';
import { FairTurns } from './fair-turns.js';

/** An event loop whose turns and clock the test moves. */
class TestLoop {
  nowMs = 0;
  turns = 0;
  private waiting: (() => void)[] = [];

  now(): number {
    return this.nowMs;
  }

  nextTurn(resume: () => void): void {
    this.waiting.push(resume);
  }

  /** One turn: what waits for it is called, and what follows from each at once. */
  async turn(): Promise<void> {
    this.turns += 1;
    const due = this.waiting;
    this.waiting = [];
    for (const resume of due) {
      resume();
      await settle();
    }
  }

  get isIdle(): boolean {
    return this.waiting.length === 0;
  }
}

async function settle(): Promise<void> {
  for (let hop = 0; hop < 10; hop++) await undefined;
}

const from = (address: string): Caller => ({ headers: {}, address });

function stage() {
  const loop = new TestLoop();
  const turns = new FairTurns(loop, 5);
  const done: string[] = [];
  /** Pieces of work of one body, each of so many milliseconds. */
  const run = async (caller: Caller, name: string, pieces: number, takesMs: number) => {
    for (let piece = 0; piece < pieces; piece++) {
      const wait = turns.next(caller);
      if (wait !== undefined) await wait;
      loop.nowMs += takesMs;
      done.push(name);
    }
  };
  return { loop, turns, done, run };
}

describe('turns of the event loop', () => {
  it('have room for short work at once, and for none beyond their time', async () => {
    const { loop, turns } = stage();
    const caller = from('a');
    expect(turns.next(caller)).toBeUndefined();
    loop.nowMs = 4;
    expect(turns.next(caller)).toBeUndefined();
    loop.nowMs = 5;
    const waiting = turns.next(caller);
    expect(waiting).toBeInstanceOf(Promise);
    await loop.turn();
    await waiting;
    await loop.turn();
    expect(turns.next(caller)).toBeUndefined();
  });

  it('hold one slice of work each, however much waits', async () => {
    const { loop, done, run } = stage();
    const all = Promise.all(Array.from({ length: 8 }, (_, one) => run(from(`${one}`), `${one}`, 10, 5)));
    await settle();
    const perTurn: number[] = [];
    while (!loop.isIdle) {
      const before = loop.nowMs;
      await loop.turn();
      perTurn.push(loop.nowMs - before);
    }
    await all;
    expect(done).toHaveLength(80);
    expect(Math.max(...perTurn)).toBe(5);
  });

  it('begin a bounded number of pieces, however short they seem', async () => {
    const { loop, done, run } = stage();
    void Promise.all(Array.from({ length: 200 }, (_, one) => run(from(`${one}`), `${one}`, 1, 0)));
    await settle();
    expect(done).toHaveLength(32);
    await loop.turn();
    expect(done).toHaveLength(64);
    while (!loop.isIdle) await loop.turn();
    expect(done).toHaveLength(200);
  });

  it('go round the senders: one request passes a batch of another, and a batch one of the same sender', async () => {
    const { loop, done, run } = stage();
    const [batch, second] = [from('attacker'), from('attacker')];
    void Promise.all(Array.from({ length: 100 }, () => run(batch, 'batch', 1, 5)));
    await settle();
    void Promise.all(Array.from({ length: 100 }, () => run(second, 'second', 1, 5)));
    void run(from('bank'), 'bank', 1, 1);
    await settle();
    while (!done.includes('bank')) await loop.turn();
    expect(done.filter((name) => name !== 'bank').length).toBeLessThanOrEqual(3);
    while (done.length < 101) await loop.turn();
    const counts = ['batch', 'second'].map((name) => done.filter((one) => one === name).length);
    expect(Math.abs((counts[0] as number) - (counts[1] as number))).toBeLessThanOrEqual(3);
  });

  it('take the calls of one body in their order, and keep nothing afterwards', async () => {
    const { loop, turns, run, done } = stage();
    const caller = from('a');
    void Promise.all(Array.from({ length: 50 }, (_, call) => run(caller, `${call}`, 1, 2)));
    await settle();
    while (!loop.isIdle) await loop.turn();
    expect(done).toEqual(Array.from({ length: 50 }, (_, call) => `${call}`));
    expect(turns.next(caller)).toBeUndefined();
  });
});
