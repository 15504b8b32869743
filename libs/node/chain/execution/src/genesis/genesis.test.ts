import { describe, expect, it } from '@jest/globals';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { genesisState } from '../state/genesis-state.js';
import { findAccount } from '../state/read-account.js';
import { MemoryState } from '../testing/memory-state.js';
import { limitsAt } from './chain-limits.js';
import { rulesAt } from './forks.js';
import { parseGenesis } from './genesis.js';
import type { BftConfig } from './consensus-config.js';

const ADDRESS = `0x${'ab'.repeat(20)}`;

function genesis(config: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  return {
    config: { chainId: 10, qbft: {}, ...config },
    alloc: {},
    difficulty: '0x1',
    gasLimit: '0xe0000000',
    ...rest,
  };
}

const bft = (config: Record<string, unknown>): BftConfig =>
  parseGenesis(genesis({ qbft: undefined, ...config })).consensus as BftConfig;

describe('parseGenesis', () => {
  it('reads quantities as hex, as decimal text and as numbers', () => {
    const parsed = parseGenesis(
      genesis({ chainId: '0xa' }, { gasLimit: '3758096384', difficulty: 1, timestamp: '0x5f', nonce: 66 }),
    );
    expect(parsed).toMatchObject({ chainId: 10n, gasLimit: 3_758_096_384n, difficulty: 1n, timestamp: 95 });
    expect(hexFromBytes(parsed.nonce)).toBe('0x0000000000000042');
  });

  it('reads accounts with code, nonce and storage, with and without 0x', () => {
    const { alloc } = parseGenesis(
      genesis(
        {},
        {
          alloc: {
            ['AB'.repeat(20)]: { balance: '1000', nonce: '0x2', code: '0x6000', storage: { '0x1': '0xff' } },
          },
        },
      ),
    );
    expect(alloc).toHaveLength(1);
    expect(alloc[0]).toMatchObject({ address: ADDRESS, balance: 1000n, nonce: 2n });
    expect(hexFromBytes(alloc[0]?.storage[0]?.value ?? new Uint8Array(0))).toBe(`0x${'00'.repeat(31)}ff`);
  });

  it('reads the prefix of hex in either case, as geth does', () => {
    const file = (x: string) =>
      parseGenesis(
        genesis(
          {
            chainId: `0${x}a`,
            qbft: { blockReward: `0${x}10`, miningBeneficiary: ADDRESS.replace('0x', `0${x}`) },
          },
          {
            gasLimit: `0${x}e0000000`,
            extraData: `0${x}1234`,
            coinbase: ADDRESS.replace('0x', `0${x}`),
            alloc: {
              [ADDRESS.replace('0x', `0${x}`)]: {
                balance: `0${x}1`,
                code: `0${x}60`,
                storage: { [`0${x}1`]: `0${x}2` },
              },
            },
          },
        ),
      );
    expect({ ...file('X'), fileConfig: 0 }).toEqual({ ...file('x'), fileConfig: 0 });
    const twice = { [ADDRESS]: {}, [ADDRESS.replace('0x', '0X')]: {} };
    expect(() => parseGenesis(genesis({}, { alloc: twice }))).toThrow('duplicate account');
  });

  it('reads rewards of any size that a state can hold, also as numbers', () => {
    const reward = (blockReward: unknown) => bft({ qbft: { blockReward } }).blockReward;
    expect(reward(10n ** 18n)).toBe(10n ** 18n);
    expect(() => reward((2n ** 256n).toString())).toThrow('must fit into 256 bits');
  });

  it.each([
    ['chain id 1', genesis({ chainId: 1 }), 'genesis config.chainId: 1 belongs to Ethereum and is refused'],
    ['no chain id', genesis({ chainId: undefined }), 'genesis config.chainId: must be a quantity'],
    ['a fractional chain id', genesis({ chainId: 1.5 }), 'genesis config.chainId: must be a quantity'],
    [
      'a bad balance',
      genesis({}, { alloc: { [ADDRESS]: { balance: 'ten' } } }),
      `genesis alloc.${ADDRESS}.balance: must be a quantity`,
    ],
    [
      'an unknown account member',
      genesis({}, { alloc: { [ADDRESS]: { balanc: 1 } } }),
      `genesis alloc.${ADDRESS}`,
    ],
    [
      'a bad slot',
      genesis({}, { alloc: { [ADDRESS]: { storage: { xyz: '0x1' } } } }),
      `genesis alloc.${ADDRESS}.storage.xyz`,
    ],
    ['a bad address', genesis({}, { alloc: { '0x12': {} } }), 'genesis alloc.0x12'],
    ['odd extra data', genesis({}, { extraData: '0x123' }), 'genesis extraData: must be hex of whole bytes'],
    [
      'a gas limit over 64 bits',
      genesis({}, { gasLimit: `0x1${'00'.repeat(8)}` }),
      'genesis gasLimit: must fit into 64 bits',
    ],
    ['no gas limit', genesis({}, { gasLimit: undefined }), 'genesis gasLimit: must be a quantity'],
    [
      'forks out of order',
      genesis({ berlinBlock: 5, londonBlock: 4 }),
      'genesis config.londonBlock: 4 is before berlinBlock',
    ],
    [
      'times out of order',
      genesis({ shanghaiTime: 9, cancunTime: 8 }),
      'genesis config.cancunTime: 8 is before shanghaiTime',
    ],
    ['a base fee', genesis({ zeroBaseFee: false }), 'genesis config.zeroBaseFee: must be true'],
    ['a negative cap', genesis({ maxTransactionGas: -1 }), 'genesis config.maxTransactionGas'],
    ['a code size out of range', genesis({ maxCodeSize: 23 }), 'genesis config.maxCodeSize'],
    ['no object', 'genesis', 'genesis file'],
    ['no consensus', genesis({ qbft: undefined }), 'config: one of qbft, ibft and raft must be present'],
    [
      'an unknown member of qbft',
      genesis({ qbft: { blockperiod: 1 } }),
      'genesis config.qbft: Unrecognized key: "blockperiod"',
    ],
    ['a bad member of qbft', genesis({ qbft: { epochlength: -1 } }), 'genesis config.qbft.epochlength'],
  ])('refuses %s and names it', (_case, json, message) => {
    expect(() => parseGenesis(json)).toThrow(message);
  });

  it('keeps the privacy switches by their blocks', () => {
    const parsed = parseGenesis(
      genesis({ isQuorum: true, privacyEnhancementsBlock: 0, txnSizeLimit: 64, maxCodeSize: 50 }),
    );
    expect(parsed.privacy).toEqual({ enhancementsBlock: 0, precompileBlock: undefined });
    expect(limitsAt(parsed.limits, 0)).toMatchObject({ maxTransactionSize: 65_536, maxCodeSize: 51_200 });
  });
});

describe('the consensus section', () => {
  it('has the defaults of the reference', () => {
    expect(bft({ qbft: {} })).toEqual({
      engine: 'qbft',
      qbftBlock: 0,
      epochLength: 30_000,
      blockPeriodMs: 5_000,
      emptyBlockPeriodMs: 0,
      isBlockPeriodGiven: false,
      requestTimeoutMs: 10_000,
      maxRequestTimeoutMs: 0,
      proposerPolicy: 'roundRobin',
      proposerPolicyId: 0,
      ceilQuorumBlock: 0,
      validatorSelection: 'blockheader',
      blockReward: 0n,
      rewardAccount: 'proposer',
      transitions: [],
    });
  });

  it('keeps a default where the file has 0, and otherwise uses the value of the file', () => {
    const config = bft({
      ibft: { epochlength: 0, blockperiodseconds: 0, requesttimeoutseconds: 4, policy: 1, ceil2Nby3Block: 9 },
    });
    expect(config).toMatchObject({ engine: 'ibft', epochLength: 30_000, blockPeriodMs: 5_000 });
    expect(config).toMatchObject({ requestTimeoutMs: 4_000, proposerPolicy: 'sticky', ceilQuorumBlock: 9 });
    expect(config.qbftBlock).toBeUndefined();
  });

  it('has times of the options where the file gives none, below its transitions', () => {
    const times = { blockPeriodMs: 2_000, requestTimeoutMs: 4_000 };
    const read = (section: Record<string, unknown>) =>
      parseGenesis(genesis({ qbft: undefined, istanbul: section }), 'goquorum', times).consensus;
    expect(read({ epoch: 5 })).toMatchObject({ ...times, isBlockPeriodGiven: false });
    const own = { blockperiodseconds: 1, requesttimeoutseconds: 3 };
    expect(read(own)).toMatchObject({
      blockPeriodMs: 1_000,
      requestTimeoutMs: 3_000,
      isBlockPeriodGiven: true,
    });
  });

  it('reads an old istanbul section: the old quorum stays, QBFT begins at its block', () => {
    const config = bft({ istanbul: { epoch: 100, testQBFTBlock: 7 } });
    expect(config).toMatchObject({
      engine: 'ibft',
      qbftBlock: 7,
      epochLength: 100,
      ceilQuorumBlock: Infinity,
    });
    expect(bft({ istanbul: { testQBFTBlock: 0 } }).engine).toBe('qbft');
  });

  it('takes periods under a second, rewards and a validator contract', () => {
    const config = bft({
      qbft: {
        xblockperiodmilliseconds: 250,
        blockReward: '0x10',
        miningBeneficiary: ADDRESS,
        validatorselectionmode: 'contract',
        validatorcontractaddress: ADDRESS,
      },
    });
    expect(config).toMatchObject({ blockPeriodMs: 250, blockReward: 16n, rewardAccount: ADDRESS });
    expect(config).toMatchObject({ validatorSelection: 'contract', validatorContract: ADDRESS });
  });

  it.each([
    [
      { istanbul: {}, ibft: {} },
      'the attributes config.Istanbul and config.[IBFT|QBFT] are mutually exclusive on the genesis file',
    ],
    [
      { ibft: {}, qbft: {} },
      'the attributes config.IBFT and config.QBFT are mutually exclusive on the genesis file',
    ],
    [{ raft: true, qbft: {} }, 'config: raft cannot be combined with qbft, ibft or istanbul'],
    [
      { qbft: { validatorselectionmode: 'vote' } },
      'validator selection mode is invalid, should be either `contract` or `blockheader`',
    ],
    [
      { qbft: { validatorcontractaddress: ADDRESS } },
      'validator selection mode is missing, should specify `contract` when using validatorcontractaddress',
    ],
    [{ qbft: { beneficiaryMode: 'anyone' } }, 'beneficiary mode is not valid'],
    [
      { qbft: {}, transitions: [{ block: 1, algorithm: 'clique' }] },
      'transition algorithm is invalid, should be either `ibft` or `qbft`',
    ],
    [{ qbft: {}, transitions: [{ algorithm: 'qbft' }] }, 'block number not given in transitions data'],
    [{ qbft: {}, transitions: [{ block: 5 }, { block: 4 }] }, 'block order should be ascending'],
    [{ qbft: {}, transitions: [{ block: 5, algorithm: 'ibft' }] }, "can't transition from qbft to ibft"],
    [
      {
        ibft: {},
        transitions: [
          { block: 5, algorithm: 'qbft' },
          { block: 6, algorithm: 'ibft' },
        ],
      },
      "can't transition from qbft to ibft",
    ],
    [
      { istanbul: { testQBFTBlock: 9 }, transitions: [{ block: 5, algorithm: 'qbft' }] },
      "can't use transition algorithm and testQBFTBlock at the same time",
    ],
  ])('refuses %j with the text of the reference', (config, message) => {
    expect(() => bft(config)).toThrow(message);
  });

  it('reads transitions with their own names and units', () => {
    const { transitions } = bft({
      ibft: {},
      transitions: [
        { block: 5, algorithm: 'qbft', blockperiodseconds: 2, '2FPlus1Enabled': true },
        { block: 5, 'miner.gaslimit': 9, contractsizelimit: 32, validators: [ADDRESS] },
      ],
    });
    expect(transitions[0]).toMatchObject({
      block: 5,
      algorithm: 'qbft',
      blockPeriodMs: 2_000,
      legacyQuorum: true,
    });
    expect(transitions[1]).toMatchObject({ leastGasLimit: 9n, maxCodeSize: 32_768, validators: [ADDRESS] });
  });

  it('knows raft', () => {
    expect(parseGenesis(genesis({ qbft: undefined, raft: true })).consensus).toEqual({
      engine: 'raft',
      transitions: [],
    });
  });

  it('treats a file of GoQuorum without an engine as one of raft', () => {
    const nameless = { qbft: undefined, isQuorum: true };
    expect(parseGenesis(genesis(nameless)).consensus.engine).toBe('raft');
    expect(() => parseGenesis(genesis({ ...nameless, isQuorum: false }))).toThrow(
      'one of qbft, ibft and raft',
    );
    expect(() => parseGenesis(genesis({ ...nameless, raft: false }))).toThrow('one of qbft, ibft and raft');
  });
});

describe('rules', () => {
  const schedule = parseGenesis(
    genesis({ homesteadBlock: 0, eip155Block: 3, berlinBlock: 10, londonBlock: 20, shanghaiTime: 1000 }),
  ).forks;

  it.each([
    [0, 0, 'homestead'],
    [3, 0, 'spuriousDragon'],
    [19, 0, 'berlin'],
    [20, 0, 'london'],
    [20, 1000, 'shanghai'],
  ])('at block %i and time %i are those of %s', (number, timestamp, fork) => {
    expect(rulesAt(schedule, { number, timestamp }).fork).toBe(fork);
  });
});

describe('genesisState', () => {
  it('stores code and storage under the published hashes, with the preimages of the hashes', async () => {
    // Source: the reference on privacy, vector V8: slot 0 is 42, code is 6000.
    const alloc = { [ADDRESS]: { nonce: '0x1', code: '0x6000', storage: { '0x0': '0x2a' } } };
    const memory = new MemoryState();
    const changes = await genesisState(parseGenesis(genesis({}, { alloc })), memory.database);
    const world = await memory.database.openWorld(memory.store(changes));
    expect(await findAccount(world, parseAddress(ADDRESS))).toEqual({
      nonce: 1n,
      balance: 0n,
      storageRoot: '0x81d1fa699f807735499cf6f7df860797cf66f6a66b565cfcda3fae3521eb6861',
      codeHash: '0x07ad118d6cc8642c86c03827f276d8b791a65e5c99a3845faf186be720a1455d',
    });
    expect(changes.preimages.map(({ value }) => hexFromBytes(value)).sort()).toEqual([
      `0x${'00'.repeat(32)}`,
      ADDRESS,
    ]);
  });
});
