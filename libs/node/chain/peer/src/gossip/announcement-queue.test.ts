import { describe, expect, it } from '@jest/globals';
import { parseHash, type Hash } from '@tetrad/types';
import { AnnouncementQueue } from './announcement-queue.js';

const hash = (index: number): Hash => parseHash(`0x${index.toString(16).padStart(64, '0')}`);

/** A queue of one second that gathers for 250 ms, and a clock that is moved by hand. */
function queue() {
  let nowMs = 0;
  let tasks: { readonly atMs: number; readonly task: () => void }[] = [];
  const announced: { readonly atMs: number; readonly hashes: readonly Hash[] }[] = [];
  const clock = {
    now: () => nowMs,
    schedule(delayMs: number, task: () => void) {
      tasks.push({ atMs: nowMs + delayMs, task });
      return () => undefined;
    },
  };
  const announce = (hashes: readonly Hash[]) => void announced.push({ atMs: nowMs, hashes });
  const announcements = new AnnouncementQueue({ clock, delayMs: 1_000, gatherMs: 250, announce });
  const moveTo = (atMs: number) => {
    while (nowMs < atMs) {
      nowMs += 10;
      const due = tasks.filter((one) => one.atMs <= nowMs);
      tasks = tasks.filter((one) => one.atMs > nowMs);
      for (const { task } of due) task();
    }
  };
  return { announcements, announced, moveTo, timers: () => tasks.length };
}

describe('hashes to announce', () => {
  it('wait for the delay, and are announced together when added together', () => {
    const { announcements, announced, moveTo } = queue();
    announcements.add(hash(1));
    announcements.add(hash(2));
    moveTo(600);
    announcements.add(hash(3));
    moveTo(650);
    announcements.add(hash(4));
    moveTo(700);
    announcements.add(hash(5));
    moveTo(3_000);
    expect(announced).toEqual([
      { atMs: 1_000, hashes: [hash(1), hash(2)] },
      { atMs: 1_600, hashes: [hash(3)] },
      { atMs: 1_850, hashes: [hash(4), hash(5)] },
    ]);
  });

  it('need a timer only while some wait, and one at a time', () => {
    const { announcements, announced, moveTo, timers } = queue();
    expect(timers()).toBe(0);
    for (let index = 0; index < 50; index++) announcements.add(hash(index));
    expect(timers()).toBe(1);
    moveTo(2_000);
    expect(timers()).toBe(0);
    announcements.add(hash(7));
    moveTo(4_000);
    expect(announced.map(({ hashes }) => hashes.length)).toEqual([50, 1]);
  });

  it('are bounded in number', () => {
    const { announcements, announced, moveTo } = queue();
    for (let index = 0; index < 20_000; index++) announcements.add(hash(index));
    moveTo(1_500);
    expect(announced.map(({ hashes }) => hashes.length)).toEqual([16_384]);
  });
});
