import { describe, expect, it } from '@jest/globals';
import type { BftConfig } from '@tetrad/node-execution';
import { parseAddress } from '@tetrad/types';
import { BftChainRules } from './bft-chain-rules.js';
import { consensusSettings } from './consensus-settings.js';

const proposer = parseAddress(`0x${'01'.repeat(20)}`);
const treasury = parseAddress(`0x${'02'.repeat(20)}`);

const config: BftConfig = {
  engine: 'qbft',
  epochLength: 30_000,
  blockPeriodMs: 5_000,
  isBlockPeriodGiven: true,
  emptyBlockPeriodMs: 0,
  requestTimeoutMs: 10_000,
  maxRequestTimeoutMs: 0,
  proposerPolicy: 'roundRobin',
  proposerPolicyId: 0,
  ceilQuorumBlock: 10,
  validatorSelection: 'blockheader',
  blockReward: 7n,
  rewardAccount: 'proposer',
  transitions: [
    { block: 20, blockPeriodMs: 1_000, blockReward: 9n },
    { block: 30, blockPeriodMs: 2_000, legacyQuorum: true },
  ],
};

describe('consensus settings', () => {
  it.each([
    [19, 5_000, 7n, false],
    [20, 1_000, 9n, false],
    [29, 1_000, 9n, false],
    [30, 2_000, 9n, true],
    [31, 2_000, 9n, true],
  ])(
    'at block %i are those of the transitions up to it',
    (number, blockPeriodMs, blockReward, legacyQuorum) => {
      expect(consensusSettings(config, number)).toMatchObject({ blockPeriodMs, blockReward, legacyQuorum });
    },
  );

  it('accept 2F+1 seals below the block of the quorum rule', () => {
    expect([9, 10].map((number) => consensusSettings(config, number).legacyQuorum)).toEqual([true, false]);
  });
});

describe('the block reward', () => {
  const at = (changes: Partial<BftConfig>, number = 1) =>
    new BftChainRules({ rules: 'tetrad', extraData: new Uint8Array(0) }, { ...config, ...changes }).rewardOf({
      number,
      proposer,
    });

  it('goes to the proposer, or to the account that the genesis file names', () => {
    expect(at({})).toEqual({ beneficiary: proposer, wei: 7n });
    expect(at({ rewardAccount: treasury })).toEqual({ beneficiary: treasury, wei: 7n });
    const transitions = [{ block: 5, rewardAccount: treasury }, { block: 7 }];
    expect([4, 5, 7].map((number) => at({ transitions }, number)?.beneficiary)).toEqual([
      proposer,
      treasury,
      treasury,
    ]);
  });

  it('is absent when it is zero', () => {
    expect(at({ blockReward: 0n })).toBeUndefined();
  });
});
