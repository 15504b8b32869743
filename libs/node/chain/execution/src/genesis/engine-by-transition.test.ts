import { describe, expect, it } from '@jest/globals';
import { parseGenesis } from './genesis.js';

function genesis(config: Record<string, unknown>) {
  return { config: { chainId: 10, ...config }, alloc: {}, difficulty: '0x1', gasLimit: '0xe0000000' };
}

describe('a file without a section', () => {
  const entry = {
    block: 0,
    algorithm: 'qbft',
    epochlength: 7,
    blockperiodseconds: 1,
    requesttimeoutseconds: 4,
  };
  const named = {
    engine: 'qbft',
    qbftBlock: 0,
    epochLength: 7,
    blockPeriodMs: 1_000,
    requestTimeoutMs: 4_000,
  };
  const read = (config: Record<string, unknown>, isQuorum = true) =>
    parseGenesis(genesis({ isQuorum, ...config })).consensus;

  it.each([true, false])('has the engine of a transition at block 0 (isQuorum %s)', (isQuorum) => {
    expect(read({ transitions: [entry] }, isQuorum)).toMatchObject({ ...named, ceilQuorumBlock: 0 });
    expect(read({ transitions: [{ ...entry, algorithm: 'QBFT' }] }, isQuorum)).toMatchObject(named);
    expect(read({ qbft: null, transitions: [entry] }, isQuorum)).toMatchObject(named);
    const ibft = read(
      { ibft: null, istanbul: null, transitions: [{ ...entry, algorithm: 'Ibft' }] },
      isQuorum,
    );
    expect(ibft).toMatchObject({ ...named, engine: 'ibft', qbftBlock: undefined, ceilQuorumBlock: 0 });
  });

  it('has the last engine of several at block 0, with the values of all', () => {
    const transitions = [
      { block: 0, blockperiodseconds: 3 },
      { block: 0, algorithm: 'ibft', epochlength: 9 },
      { block: 0, algorithm: 'qbft', blockperiodseconds: 2 },
      { block: 5, blockperiodseconds: 4 },
    ];
    expect(read({ transitions })).toMatchObject({ engine: 'qbft', epochLength: 9, blockPeriodMs: 2_000 });
    expect(read({ transitions: [...transitions].slice(0, 2) })).toMatchObject({ engine: 'ibft' });
    const back = [
      { block: 0, algorithm: 'qbft' },
      { block: 0, algorithm: 'ibft' },
    ];
    expect(() => read({ transitions: back })).toThrow("can't transition from qbft to ibft");
  });

  it('is one of raft under isQuorum where only a later transition names an engine, or raft is said', () => {
    expect(read({ transitions: [{ ...entry, block: 1 }] }).engine).toBe('raft');
    expect(read({ transitions: [{ block: 0, blockperiodseconds: 1 }] }).engine).toBe('raft');
    expect(read({ raft: true, transitions: [entry] }).engine).toBe('raft');
    expect(() => read({ transitions: [{ ...entry, block: 1 }] }, false)).toThrow(
      'one of qbft, ibft and raft must be present, or a transition at block 0 with an algorithm',
    );
  });
});
