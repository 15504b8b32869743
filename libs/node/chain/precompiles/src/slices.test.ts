import { describe, expect, it } from '@jest/globals';
import { precompiles } from './precompiles.js';
import { runInSlices, type Work } from './slices.js';
import { modexpInput } from '../test/inputs.js';

/** Work that never ends by itself, and records whether it has released its resources. */
function endless(): { work: Work<number>; state: { released: boolean } } {
  const state = { released: false };
  function* turn(): Work<number> {
    try {
      for (;;) yield;
    } finally {
      state.released = true;
    }
  }
  return { work: turn(), state };
}

function blakeInput(rounds: number): Uint8Array {
  const input = new Uint8Array(213).fill(7, 4, 212);
  new DataView(input.buffer).setUint32(0, rounds);
  return input;
}

describe('work in slices', () => {
  it('is done immediately when it is short', () => {
    function* short(): Work<number> {
      yield;
      return 7;
    }
    expect(runInSlices(short())).toBe(7);
  });

  it('yields to other work, ends when its signal is aborted and releases its resources', async () => {
    const { work, state } = endless();
    const stop = new AbortController();
    const running = runInSlices(work, stop);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
      if (turns === 3) stop.abort(new Error('enough'));
    }, 1);
    await expect(running).rejects.toThrow('enough');
    clearInterval(timer);
    expect(state.released).toBe(true);
  });
});

describe('a precompile that is aborted', () => {
  it.each([
    ['BLAKE2F of 4 billion rounds', 0x09, blakeInput(0xffffffff)],
    [
      'MODEXP of 8 million bits',
      0x05,
      modexpInput(
        new Uint8Array(32).fill(3),
        new Uint8Array(1_000_000).fill(255),
        new Uint8Array(32).fill(255),
      ),
    ],
  ])('%s ends', async (_name, address, input) => {
    const stop = new AbortController();
    const running = precompiles.of('prague').get(address)?.run(input, stop);
    expect(running).toBeInstanceOf(Promise);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('does not disturb one that continues beside it, whose input may change meanwhile', async () => {
    const blake2f = precompiles.of('prague').get(0x09);
    const input = blakeInput(3_000_000);
    const stop = new AbortController();
    const stopped = blake2f?.run(blakeInput(0xffffffff), stop);
    const one = blake2f?.run(input);
    input.fill(0);
    const other = blake2f?.run(blakeInput(3_000_000));
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect(await one).toEqual(await other);
  });
});
