import { describe, expect, it } from '@jest/globals';
import { seededRandom, until } from '@tetrad/testkit';
import { silentLogger, silentMetrics, type Logger } from '@tetrad/types';
import { ChainFollower, ForeignFollowerError } from '../src/index.js';
import { TestChain, TestClock, TestFollowing, blockAt } from './test-follower.js';

function setting(logger: Logger = silentLogger) {
  const chain = new TestChain();
  const following = new TestFollowing();
  const clock = new TestClock();
  const open = () =>
    ChainFollower.open({ name: 'test', chain, following, clock, logger, metrics: silentMetrics });
  return { chain, following, clock, open };
}

describe('a follower of the chain', () => {
  it('follows the existing blocks, then every new one', async () => {
    const { chain, following, open } = setting();
    chain.grow(3);
    const follower = await open();
    expect(await follower.waitFor(3, 1000)).toBe('followed');
    chain.grow(2);
    expect(await follower.waitFor(5, 1000)).toBe('followed');
    expect(following.rows).toEqual(chain.blocks);
    await follower.stop();
  });

  it('continues after the block that it stored last', async () => {
    const { chain, following, open } = setting();
    chain.grow(4);
    following.rows.push(...chain.blocks.slice(0, 3));
    const follower = await open();
    expect(await follower.waitFor(4, 1000)).toBe('followed');
    expect(following.asked).toEqual([3, 4]);
    await follower.stop();
  });

  it('refuses rows of another chain', async () => {
    const { following, open } = setting();
    following.rows.push(blockAt(0, 7));
    await expect(open()).rejects.toThrow(ForeignFollowerError);
  });

  it('pauses before a block, notifies waiting callers, retries with a growing delay, and continues', async () => {
    const { chain, following, clock, open } = setting();
    following.fate = ({ header }) =>
      header.number === 2 ? { kind: 'paused', reason: 'no manager' } : { kind: 'followed' };
    const follower = await open();
    await follower.waitFor(0, 1000);
    const waiting = follower.waitFor(3, 60_000);
    chain.grow(3);
    expect(await waiting).toBe('paused');
    expect(follower.pause).toEqual({ blockNumber: 2, reason: 'no manager' });
    expect(await follower.waitFor(1, 1000)).toBe('followed');
    expect(await follower.waitFor(2, 1000)).toBe('paused');
    const tries = () => following.asked.filter((number) => number === 2).length;
    expect(tries()).toBe(1);
    clock.pass(1000);
    await until(() => tries() === 2 && follower.pause !== undefined);
    await new Promise((turn) => setImmediate(turn));
    clock.pass(1000);
    expect(tries()).toBe(2);
    following.fate = () => ({ kind: 'followed' });
    clock.pass(1000);
    await until(() => follower.head === 3);
    expect(follower.pause).toBeUndefined();
    expect(following.rows).toEqual(chain.blocks);
    await follower.stop();
  });

  it('reports `late` after the time limit', async () => {
    const { clock, open } = setting();
    const follower = await open();
    await follower.waitFor(0, 1000);
    const waiting = follower.waitFor(1, 500);
    clock.pass(500);
    expect(await waiting).toBe('late');
    await follower.stop();
  });

  it('retries immediately when it is woken', async () => {
    const { chain, following, open } = setting();
    following.fate = () => ({ kind: 'paused', reason: 'not yet' });
    const follower = await open();
    await until(() => follower.pause !== undefined);
    following.fate = () => ({ kind: 'followed' });
    await until(() => {
      follower.wake();
      return follower.head === chain.head().header.number;
    });
    await follower.stop();
  });

  it('treats a failure as a pause, and logs it', async () => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (...line: unknown[]) => void errors.push(line) };
    const { following, open } = setting(logger);
    following.fate = () => new Error('database unavailable');
    const follower = await open();
    await until(() => follower.pause !== undefined);
    expect(follower.pause).toEqual({ blockNumber: 0, reason: 'failed: database unavailable' });
    expect(errors).toHaveLength(1);
    await follower.stop();
  });

  it('ends between two blocks, and ends all waits', async () => {
    const { chain, following, open } = setting();
    chain.grow(50);
    const follower = await open();
    const waiting = follower.waitFor(1000, 60_000);
    await follower.stop();
    expect(await waiting).toBe('late');
    const { length } = following.rows;
    chain.grow(1);
    await new Promise((turn) => setImmediate(turn));
    expect(following.rows).toHaveLength(length);
  });

  it.each([1, 2, 3, 4, 5])('follows each block once and in order, whatever fails (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const { chain, following, clock, open } = setting();
    following.fate = () => {
      const draw = random();
      if (draw < 0.2) return { kind: 'paused', reason: `reason ${Math.floor(draw * 10)}` };
      return draw < 0.3 ? new Error('killed') : { kind: 'followed' };
    };
    let follower = await open();
    for (let attempt = 0; attempt < 60; attempt++) {
      chain.grow(Math.floor(random() * 3));
      clock.pass(random() * 40_000);
      if (random() < 0.1) {
        await follower.stop();
        follower = await open();
      }
      await new Promise((turn) => setImmediate(turn));
    }
    following.fate = () => ({ kind: 'followed' });
    await until(() => {
      follower.wake();
      return follower.head === chain.head().header.number;
    });
    expect(following.rows).toEqual(chain.blocks);
    await follower.stop();
  });
});
