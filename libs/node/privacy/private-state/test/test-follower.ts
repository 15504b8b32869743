import { parseHash, type Clock, type Hash } from '@tetrad/types';
import type { FollowOutcome, FollowedChain, Following } from '../src/index.js';

export interface TestBlock {
  readonly hash: Hash;
  readonly header: { readonly number: number };
}

export const blockAt = (number: number, chain = 0): TestBlock => ({
  hash: parseHash(`0x${chain}${number.toString(16).padStart(63, '0')}`),
  header: { number },
});

/** A chain that grows when the test calls `grow`. */
export class TestChain implements FollowedChain<TestBlock> {
  readonly blocks: TestBlock[] = [blockAt(0)];
  reads = 0;
  private readonly listeners = new Set<(block: TestBlock) => void>();

  head(): TestBlock {
    return this.blocks.at(-1) as TestBlock;
  }

  async findBlock(number: number): Promise<TestBlock | undefined> {
    this.reads++;
    return this.blocks[number];
  }

  async findHeader(number: number): Promise<TestBlock | undefined> {
    return this.blocks[number];
  }

  onBlock(listener: (block: TestBlock) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  grow(count = 1): void {
    for (let n = 0; n < count; n++) {
      const block = blockAt(this.blocks.length);
      this.blocks.push(block);
      for (const listener of this.listeners) listener(block);
    }
  }
}

/** A fake that stores rows atomically, as in one transaction. */
export class TestFollowing implements Following<TestBlock> {
  readonly rows: TestBlock[] = [];
  /** Numbers of the blocks that it was called for, in order, failed calls included. */
  readonly asked: number[] = [];
  /** Outcome of the next blocks; `followed` by default. */
  fate: (block: TestBlock) => FollowOutcome | Error = () => ({ kind: 'followed' });

  async findHead() {
    const last = this.rows.at(-1);
    return last === undefined ? undefined : { number: last.header.number, hash: last.hash };
  }

  async follow(block: TestBlock): Promise<FollowOutcome> {
    this.asked.push(block.header.number);
    const fate = this.fate(block);
    await new Promise((turn) => setImmediate(turn));
    if (fate instanceof Error) throw fate;
    if (fate.kind === 'followed') this.rows.push(block);
    return fate;
  }
}

/** A clock whose time passes when the test calls `pass`. */
export class TestClock implements Clock {
  private time = 0;
  private readonly tasks = new Set<{ readonly at: number; readonly task: () => void }>();

  now(): number {
    return this.time;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry = { at: this.time + delayMs, task };
    this.tasks.add(entry);
    return () => void this.tasks.delete(entry);
  }

  /** Units: ms */
  pass(duration: number): void {
    this.time += duration;
    for (const entry of [...this.tasks]) {
      if (entry.at > this.time || !this.tasks.delete(entry)) continue;
      entry.task();
    }
  }
}
