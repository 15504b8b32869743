import { describe, expect, it } from '@jest/globals';
import { tryAgain } from './try-again.js';

function failing(times: number, onFailure: () => void = () => undefined) {
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls > times) return 'done';
    onFailure();
    throw new Error(`no receipt ${calls}\nand more`);
  };
  return { work, calls: () => calls };
}

const at = (signal?: AbortSignal) => {
  const said: string[] = [];
  return { said, onProgress: (line: string) => void said.push(line), signal };
};
const noPause = () => Promise.resolve();

describe('work that a busy host lets fail', () => {
  it('is done again, and its failures are reported in a line', async () => {
    const options = at();
    expect(await tryAgain('deploying', failing(2).work, options, noPause)).toBe('done');
    expect(options.said).toEqual([
      'deploying failed, attempt 2 of 3 follows: no receipt 1',
      'deploying failed, attempt 3 of 3 follows: no receipt 2',
    ]);
  });

  it('fails at last as its third attempt does', async () => {
    const { work, calls } = failing(9);
    await expect(tryAgain('deploying', work, at(), noPause)).rejects.toThrow('no receipt 3');
    expect(calls()).toBe(3);
  });

  it('is not done again for a failure that stays', async () => {
    const { work, calls } = failing(9);
    const options = { ...at(), isWorthIt: (error: Error) => !error.message.startsWith('no receipt 2') };
    await expect(tryAgain('deploying', work, options, noPause)).rejects.toThrow('no receipt 2');
    expect(calls()).toBe(2);
  });

  it('is not done again once it is aborted', async () => {
    const controller = new AbortController();
    const { work, calls } = failing(9, () => controller.abort(new Error('interrupted')));
    await expect(tryAgain('deploying', work, at(controller.signal), noPause)).rejects.toThrow('interrupted');
    expect(calls()).toBe(1);
  });
});
