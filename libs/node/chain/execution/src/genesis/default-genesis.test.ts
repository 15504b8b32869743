import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { genesisState } from '../state/genesis-state.js';
import { MemoryState } from '../testing/memory-state.js';
import { limitsAt } from './chain-limits.js';
import { defaultGenesis } from './default-genesis.js';
import { rulesAt } from './forks.js';
import { parseGenesis } from './genesis.js';

const ADDRESS = `0x${'ab'.repeat(20)}`;

describe('defaultGenesis', () => {
  it('is one that parseGenesis reads: current rules, the validators, the balances', async () => {
    const parsed = parseGenesis(
      defaultGenesis({
        chainId: 1337,
        extraData: '0x1234',
        engine: 'qbft',
        blockPeriodMs: 250,
        balances: new Map([[parseAddress(ADDRESS), 5n]]),
      }),
    );
    expect(rulesAt(parsed.forks, { number: 0, timestamp: 0 }).fork).toBe('osaka');
    expect(limitsAt(parsed.limits, 0)).toEqual({ maxCodeSize: 65_536, maxTransactionGas: Infinity });
    expect(parsed.warnings).toEqual([]);
    expect(parsed.consensus).toMatchObject({ engine: 'qbft', blockPeriodMs: 250 });
    const memory = new MemoryState();
    const world = await memory.database.openWorld(memory.store(await genesisState(parsed, memory.database)));
    expect(await world.commitBlock()).toMatchObject({ nodes: [] });
  });
});

describe('the rules of a new chain', () => {
  const settings = { chainId: 1337, extraData: '0x', blockPeriodMs: 250, balances: new Map() };

  it.each(['qbft', 'ibft', 'raft'] as const)('are those that were asked for, under %s', (engine) => {
    const json = defaultGenesis({
      ...settings,
      engine,
      fork: 'berlin',
      maxCodeKilobytes: 24,
      isGasFree: true,
      gasLimit: 5_000_000n,
    });
    const parsed = parseGenesis(json);
    expect(rulesAt(parsed.forks, { number: 9, timestamp: 9 }).fork).toBe('berlin');
    expect(limitsAt(parsed.limits, 0)).toMatchObject({ maxCodeSize: 24 * 1024, isGasFree: true });
    expect(parsed.gasLimit).toBe(5_000_000n);
    expect(parsed.warnings).toEqual([]);
  });

  it('make blocks without transactions as often as others, unless a period of them is given', () => {
    const periodOf = (more: object) =>
      parseGenesis(defaultGenesis({ ...settings, ...more, engine: 'qbft' })).consensus;
    expect(periodOf({})).toMatchObject({ blockPeriodMs: 250, emptyBlockPeriodMs: 0 });
    expect(periodOf({ emptyBlockPeriodSeconds: 2 })).toMatchObject({
      blockPeriodMs: 250,
      emptyBlockPeriodMs: 2_000,
    });
  });

  it('keep the cap of EIP-7825 in files without the key', () => {
    const json = defaultGenesis({ ...settings, engine: 'qbft' });
    const config = { ...(json['config'] as object), maxTransactionGas: undefined };
    expect(limitsAt(parseGenesis({ ...json, config }).limits, 0).maxTransactionGas).toBeUndefined();
  });
});
