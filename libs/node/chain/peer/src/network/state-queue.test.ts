import { describe, expect, it } from '@jest/globals';
import type { NodeId } from '../identity/node-id.js';
import { StateQueue, type QueuedQuestion } from './state-queue.js';

const PLACES = 8;

/** Questions by names such as `S1.2`, the second one of the strangers of address 1, or `M3`, a member. */
class Asked {
  readonly lost: string[] = [];
  private readonly names = new Map<QueuedQuestion, string>();
  private readonly queue = new StateQueue<QueuedQuestion>(PLACES);

  enter(...names: readonly string[]): void {
    for (const name of names) {
      const isMember = name.startsWith('M');
      const asker = { nodeId: name as NodeId, isMember, group: name.split('.')[0] as string };
      const question = { asker, comeAgain: () => void this.lost.push(name) };
      this.names.set(question, name);
      this.queue.enter(question);
    }
  }

  /** Answers the next questions; those that `again` names are asked once more after each. */
  serve(times: number, again: (name: string) => boolean = () => false): string[] {
    return Array.from({ length: times }, () => {
      const question = this.queue.begin();
      const name = (question && this.names.get(question)) ?? '';
      this.queue.end();
      if (again(name)) this.enter(name);
      return name;
    });
  }

  begin(): void {
    this.queue.begin();
  }
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('places of questions about the state', () => {
  it('are all of one group while no other one wants one, but one of a node', () => {
    const asked = new Asked();
    asked.enter(...names('S1.', PLACES), 'S1.0', 'S1.8');
    expect(asked.lost).toEqual(['S1.0', 'S1.8']);
    expect(asked.serve(PLACES)).toEqual(names('S1.', PLACES));
    expect(asked.serve(1)).toEqual(['']);
  });

  it('are given up by the group that has most, its newest ones first, and not below the share of another one', () => {
    const asked = new Asked();
    asked.enter(...names('S1.', PLACES));
    asked.enter(...names('S2.', PLACES));
    expect(asked.lost.slice(0, 4)).toEqual(['S1.7', 'S1.6', 'S1.5', 'S1.4']);
    expect(asked.lost.slice(4)).toEqual(['S2.4', 'S2.5', 'S2.6', 'S2.7']);
  });

  it('are for members by half, whatever number of strangers of whatever addresses come', () => {
    const asked = new Asked();
    asked.enter(...names('S', 100));
    asked.enter(...names('M', 5));
    expect(asked.lost.slice(-5)).toEqual(['S7', 'S6', 'S5', 'S4', 'M4']);
    asked.enter(...names('T', 100));
    expect(asked.serve(PLACES)).toEqual(['M0', 'S0', 'M1', 'S1', 'M2', 'S2', 'M3', 'S3']);
  });

  it('are for strangers by half, too', () => {
    const asked = new Asked();
    asked.enter(...names('M', PLACES));
    asked.enter(...names('S', 5));
    expect(asked.lost).toEqual(['M7', 'M6', 'M5', 'M4', 'S4']);
  });

  it('are not taken from a question that is being answered', () => {
    const asked = new Asked();
    asked.enter(...names('S1.', PLACES));
    asked.begin();
    asked.enter(...names('M', PLACES));
    expect(asked.lost).not.toContain('S1.0');
  });
});

describe('turns of questions about the state', () => {
  it('go round groups, so that many names have no more of them', () => {
    const asked = new Asked();
    asked.enter(...names('S1.', 6), 'S2.0', 'S3.0');
    const served = asked.serve(30, () => true);
    for (const group of ['S1.', 'S2.', 'S3.'])
      expect(served.filter((name) => name.startsWith(group))).toHaveLength(10);
  });

  it('are every second one of the members that ask without end beside strangers', () => {
    const asked = new Asked();
    asked.enter('M0', ...names('S', 7));
    const served = asked.serve(20, () => true);
    expect(served.filter((name) => name === 'M0')).toHaveLength(10);
  });

  it('come to a group that waits before one that asks again', () => {
    const asked = new Asked();
    asked.enter('S1.0');
    asked.serve(5, () => true);
    asked.enter('S2.0');
    expect(asked.serve(4, (name) => name === 'S1.0')).toEqual(['S1.0', 'S2.0', 'S1.0', 'S1.0']);
  });
});
