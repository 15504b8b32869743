import { describe, expect, it } from '@jest/globals';
import { NoticedLooks } from './account-looks.js';

const { signal } = new AbortController();

/**
 * @param told - whether each wait ends with a notice
 * @returns for how long each one waits at most
 */
async function waits(isListening: boolean, told: readonly boolean[], intervalMs = 2_000, maxMs = 1e9) {
  const asked: number[] = [];
  const next = async (wait: number) => {
    asked.push(wait);
    return told[asked.length - 1] === true;
  };
  const looks = new NoticedLooks({ isListening, next }, intervalMs);
  for (let place = 0; place < told.length; place += 1) await looks.next(maxMs, signal);
  return asked;
}

describe('the looks at an account', () => {
  it('come every interval where the operator sends no notices', async () => {
    expect(await waits(false, [false, false, false])).toEqual([1_750, 1_750, 1_750]);
  });

  it('come with a notice where it does, and seldom without one', async () => {
    expect(await waits(true, [false, false, false])).toEqual([1_750, 29_750, 29_750]);
  });

  it('come once more after each notice', async () => {
    expect(await waits(true, [true, true, false, false])).toEqual([1_750, 1_750, 1_750, 29_750]);
  });

  it('come as seldom as the user wants', async () => {
    expect(await waits(true, [false, false], 60_000)).toEqual([59_750, 59_750]);
  });

  it('come within the time that is left', async () => {
    expect(await waits(true, [false, false], 2_000, 300)).toEqual([50, 50]);
    expect(await waits(true, [false], 2_000, 0)).toEqual([0]);
  });

  it('come at once when the user ends it', async () => {
    const controller = new AbortController();
    controller.abort();
    const next = async () => false;
    await new NoticedLooks({ isListening: true, next }, 2_000).next(1e9, controller.signal);
  });
});
