import { describe, expect, it } from '@jest/globals';
import { readBenchWords } from './bench-words.js';

const read = (line: string) =>
  readBenchWords(line.split(' '), ['rpc', 'chaos', 'soak', 'storage', 'upgrade']);

describe('the words of bench', () => {
  it('name benchmarks, all of them by one word', () => {
    expect(read('soak rpc').names).toEqual(['soak', 'rpc']);
    expect(read('all').names).toEqual(['rpc', 'chaos', 'soak', 'storage', 'upgrade']);
  });

  it('say how long chaos goes on, its seed, and what orders its blocks', () => {
    expect(read('chaos').chaos.durationMs).toBe(600_000);
    expect(read('chaos --duration 90s --seed 7').chaos).toEqual({
      durationMs: 90_000,
      seed: 7,
      consensus: 'qbft',
    });
    expect(read('--seed=0 all --duration 1h --consensus raft').chaos).toEqual({
      durationMs: 3_600_000,
      seed: 0,
      consensus: 'raft',
    });
  });

  it('say how long idle validators are measured', () => {
    const words = readBenchWords(['idle', '--duration', '30s'], ['idle', 'rpc']);
    expect(words.idle).toEqual({ durationMs: 30_000 });
  });

  it('say how many states a node keeps whose bytes are measured', () => {
    expect(read('storage --state-history 64').storage).toEqual({ stateHistory: 64 });
    expect(read('storage').storage).toEqual({ stateHistory: undefined });
    expect(() => read('rpc --state-history 64')).toThrow('--state-history: an option of storage only');
  });

  it('say how long a soak goes on at half of the maximum', () => {
    expect(read('soak --duration 2h').soak).toEqual({ durationMs: 7_200_000 });
    expect(read('soak').soak).toEqual({ durationMs: undefined });
  });

  it('say from which revision a network is upgraded', () => {
    expect(read('upgrade --from v0.1.0').upgrade).toEqual({ from: 'v0.1.0' });
    expect(read('upgrade').upgrade).toEqual({ from: 'HEAD~50' });
  });

  it.each([
    ['chaos --duration soon', /^--duration: must be a duration/],
    ['chaos --duration 5s', /^--duration: .* from 10s/],
    ['chaos --seed -1', /--seed/],
    ['chaos --seed x', /^--seed: must be a whole number/],
    ['chaos --consensus clique', /^--consensus: must be one of qbft, ibft, raft/],
    ['soak --seed 7', /^--seed: an option of chaos only/],
    ['rpc --duration 30s', /^--duration: an option of chaos and idle and soak only/],
    ['chaos --from v0.1.0', /^--from: an option of upgrade only/],
    ['chaos --sed 7', /--sed/],
  ])('that are wrong are named: %s', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});
