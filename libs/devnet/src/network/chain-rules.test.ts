import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../usage-error.js';
import { differingRule, readChainRules } from './chain-rules.js';

describe('the rules of a new chain', () => {
  it('are absent unless they are given', () => {
    expect(readChainRules({})).toEqual({});
    expect(
      readChainRules({ fork: 'berlin', 'max-code-size': '24', 'gas-limit': '5000000', 'free-gas': true }),
    ).toEqual({ fork: 'berlin', maxCodeKilobytes: 24, gasLimit: '5000000', isGasFree: true });
    for (const consensus of [{}, { consensus: 'qbft' }])
      expect(readChainRules({ 'empty-block-period': '60', ...consensus })).toEqual({
        emptyBlockPeriodSeconds: 60,
      });
  });

  it.each([
    [{ fork: 'homestead' }, '--fork: homestead is not one of berlin, london'],
    [{ fork: 'Osaka' }, '--fork: Osaka is not one of'],
    [{ 'max-code-size': '23' }, '--max-code-size: 23 is not a whole number from 24 to 128'],
    [{ 'max-code-size': '129' }, '--max-code-size: 129 is not'],
    [{ 'gas-limit': '1e9' }, '--gas-limit: 1e9 is not a whole number'],
    [{ 'gas-limit': '99999' }, '--gas-limit: 99999 is not'],
    [{ 'empty-block-period': '0' }, '--empty-block-period: 0 is not a whole number from 1 to 3600'],
    [{ 'empty-block-period': '2', consensus: 'raft' }, '--empty-block-period: goes with --consensus qbft'],
    [{ 'empty-block-period': '2', consensus: 'ibft' }, '--empty-block-period: goes with --consensus qbft'],
  ])('are refused by name: %j', (values, message) => {
    expect(() => readChainRules(values)).toThrow(UsageError);
    expect(() => readChainRules(values)).toThrow(message);
  });

  const file = { gasLimit: '0x4c4b40', config: { berlinBlock: 0, londonBlock: 0, maxCodeSize: 64 } };
  const slow = { ...file, config: { ...file.config, qbft: { emptyblockperiodseconds: 60 } } };
  const free = { ...file, config: { ...file.config, transitions: [{ block: 0, gasPriceEnabled: false }] } };
  it.each([
    [{}, file, undefined],
    [{ fork: 'london', maxCodeKilobytes: 64, gasLimit: '5000000' }, file, undefined],
    [{ fork: 'osaka' }, file, '--fork'],
    [{ maxCodeKilobytes: 24 }, file, '--max-code-size'],
    [{ maxCodeKilobytes: 24 }, { gasLimit: '0x1', config: {} }, undefined],
    [{ gasLimit: '5000001' }, file, '--gas-limit'],
    [{ isGasFree: true } as const, file, '--free-gas'],
    [{ isGasFree: true } as const, free, undefined],
    [{ emptyBlockPeriodSeconds: 60 }, slow, undefined],
    [{ emptyBlockPeriodSeconds: 61 }, slow, '--empty-block-period'],
    [{ emptyBlockPeriodSeconds: 60 }, file, '--empty-block-period'],
  ])('are compared with an existing genesis file: %j', (rules, genesis, different) => {
    expect(differingRule(rules, genesis)).toBe(different);
  });
});
