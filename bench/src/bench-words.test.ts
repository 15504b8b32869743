import { describe, expect, it } from '@jest/globals';
import { readBenchWords } from './bench-words.js';

const read = (line: string) => readBenchWords(line.split(' '), ['rpc', 'chaos', 'soak']);

describe('the words of bench', () => {
  it('name benchmarks, all of them by one word', () => {
    expect(read('soak rpc').names).toEqual(['soak', 'rpc']);
    expect(read('all').names).toEqual(['rpc', 'chaos', 'soak']);
  });

  it('say how long chaos goes on, its seed, and what orders its blocks', () => {
    expect(read('chaos').chaos.durationMs).toBe(600_000);
    expect(read('chaos --duration 90s --seed 7').chaos).toEqual({
      ...{ durationMs: 90_000, seed: 7, consensus: 'qbft' },
    });
    expect(read('--seed=0 all --duration 1h --consensus raft').chaos).toEqual({
      ...{ durationMs: 3_600_000, seed: 0, consensus: 'raft' },
    });
  });

  it.each([
    ['chaos --duration soon', /^--duration: must be a duration/],
    ['chaos --duration 5s', /^--duration: .* from 10s/],
    ['chaos --seed -1', /--seed/],
    ['chaos --seed x', /^--seed: must be a whole number/],
    ['chaos --consensus clique', /^--consensus: must be one of qbft, ibft, raft/],
    ['soak --seed 7', /^--seed: an option of chaos only/],
    ['chaos --sed 7', /--sed/],
  ])('that are wrong are named: %s', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});
