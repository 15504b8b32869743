import { describe, expect, it } from '@jest/globals';
import { genesisState } from '../state/genesis-state.js';
import { findAccount } from '../state/read-account.js';
import { MemoryState } from '../testing/memory-state.js';
import { limitsAt } from './chain-limits.js';
import type { BftConfig } from './consensus-config.js';
import { rulesAt } from './forks.js';
import { parseGenesis } from './genesis.js';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const ZERO = `0x${'00'.repeat(20)}`;
const KB = 1024;

/** A file in the manner of the published ones: their keys, in their cases. */
function published(config: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  return {
    config: {
      chainId: 1337,
      homesteadBlock: 0,
      eip150Block: 0,
      eip150Hash: `0x${'00'.repeat(32)}`,
      eip155Block: 0,
      eip158Block: 0,
      byzantiumBlock: 0,
      constantinopleBlock: 0,
      petersburgBlock: 0,
      istanbulBlock: 0,
      muirglacierblock: 0,
      berlinBlock: 0,
      londonBlock: 0,
      isQuorum: true,
      maxCodeSizeConfig: [{ block: 0, size: 64 }],
      txnSizeLimit: 64,
      qbft: { policy: 0, epoch: 30_000, ceil2Nby3Block: 0, testQBFTBlock: 0, blockperiodseconds: 5 },
      ...config,
    },
    nonce: '0x0',
    timestamp: '0x58ee40ba',
    extraData: '0x',
    gasLimit: '0xFFFFFF',
    gasUsed: '0x0',
    number: '0x0',
    difficulty: '0x1',
    mixHash: `0x${'00'.repeat(32)}`,
    coinbase: ZERO,
    parentHash: `0x${'00'.repeat(32)}`,
    alloc: { ['AB'.repeat(20)]: { balance: '1000', comment: 'ignored', privateKey: 'ignored' } },
    ...rest,
  };
}

const without = (object: object, key: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

const bft = (config: Record<string, unknown>): BftConfig =>
  parseGenesis(published(config)).consensus as BftConfig;
const forkAt0 = (json: unknown, rules?: 'tetrad' | 'goquorum') =>
  rulesAt(parseGenesis(json, rules).forks, { number: 0, timestamp: 0 }).fork;

describe('a genesis file for GoQuorum', () => {
  it('ignores London and later forks, keys of other sections and unknown keys, and warns of each', () => {
    const json = published({ arrowGlacierBlock: 0, rules: 'goquorum', shanghaiTime: 0 });
    expect(forkAt0(json)).toBe('berlin');
    expect(parseGenesis(json).warnings).toEqual([
      'config.londonBlock is ignored, as in GoQuorum',
      'config.arrowGlacierBlock is ignored, as in GoQuorum',
      'config.shanghaiTime is ignored, as in GoQuorum',
      'config.qbft.epoch is ignored, as in GoQuorum',
      'config.qbft.testQBFTBlock is ignored, as in GoQuorum',
    ]);
  });

  it('is read without regard to the case of its keys, on every level', () => {
    const { config, gasLimit, alloc, ...rest } = published({
      qbft: { epochLength: 10, blockPeriodSeconds: 2, RequestTimeoutSeconds: 4, emptyBlockPeriodSeconds: 60 },
      BERLINBLOCK: 0,
    });
    const parsed = parseGenesis({
      ...rest,
      Config: without(config, 'berlinBlock'),
      GASLIMIT: gasLimit,
      Alloc: alloc,
    });
    expect(parsed).toMatchObject({ gasLimit: 0xffffffn, rules: 'goquorum' });
    expect(parsed.consensus).toMatchObject({
      epochLength: 10,
      blockPeriodMs: 2_000,
      requestTimeoutMs: 4_000,
    });
    expect((parsed.consensus as BftConfig).emptyBlockPeriodMs).toBe(60_000);
    expect(rulesAt(parsed.forks, { number: 0, timestamp: 0 }).fork).toBe('berlin');
  });

  it('refuses a key in two cases, and an account in two forms', () => {
    expect(() => parseGenesis(published({ qbft: { epochlength: 1, epochLength: 2 } }))).toThrow(
      'genesis config.qbft.epochLength: duplicate key, see epochlength',
    );
    const twice = { [ADDRESS]: { balance: '1' }, ['AB'.repeat(20)]: { balance: '2' } };
    expect(() => parseGenesis(published({}, { alloc: twice }))).toThrow('duplicate account');
  });

  it('treats null, a zero contract address and a code size of 0 as absent', () => {
    const json = published({
      qip714Block: null,
      privacyEnhancementsBlock: null,
      isMPS: false,
      maxCodeSize: 0,
      maxCodeSizeConfig: null,
      qbft: { validatorContractAddress: ZERO, blockReward: null, validatorselectionmode: '' },
    });
    const parsed = parseGenesis(json);
    expect(parsed.promises).toEqual([]);
    expect(parsed.consensus).toMatchObject({
      validatorContract: undefined,
      validatorSelection: 'blockheader',
    });
    expect(limitsAt(parsed.limits, 9).maxCodeSize).toBeUndefined();
  });

  it('uses a validator contract only in the mode `contract`, also in transitions', () => {
    const qbft = { epochlength: 30_000, validatorcontractaddress: `0x${'00'.repeat(18)}7777` };
    const transitions = [{ block: 9, validatorselectionmode: 'contract' }];
    const parsed = parseGenesis(published({ qbft, transitions }));
    expect(parsed.consensus).toMatchObject({
      validatorSelection: 'blockheader',
      validatorContract: qbft.validatorcontractaddress,
      transitions: [{ block: 9, validatorSelection: 'contract' }],
    });
    expect(parsed.warnings).toContain(
      'config.qbft.validatorcontractaddress has no effect without validatorselectionmode "contract", as in GoQuorum',
    );
    expect(() => parseGenesis(published({ qbft: { ...qbft, validatorselectionmode: 'vote' } }))).toThrow(
      'validator selection mode is invalid',
    );
  });

  it('has validators by name in the first transition only', () => {
    const transitions = [5, 9].map((block) => ({ block, validators: [ADDRESS] }));
    const parsed = parseGenesis(published({ transitions }));
    expect((parsed.consensus as BftConfig).transitions.map(({ validators }) => validators)).toEqual([
      [ADDRESS],
      undefined,
    ]);
    expect(parsed.warnings).toContain('config.transitions.1.validators is ignored, as in GoQuorum');
  });

  it('has Petersburg with Constantinople by default', () => {
    const json = published({ petersburgBlock: undefined, istanbulBlock: undefined, berlinBlock: undefined });
    expect(forkAt0(json)).toBe('petersburg');
  });

  it('has code sizes by block, in kB', () => {
    const { limits } = parseGenesis(
      published({
        maxCodeSizeConfig: [
          { block: 5, size: 35 },
          { block: 15, size: 24 },
        ],
      }),
    );
    const sizes = [4, 5, 14, 15].map((block) => limitsAt(limits, block).maxCodeSize);
    expect(sizes).toEqual([undefined, 35 * KB, 35 * KB, 24 * KB]);
    const single = parseGenesis(
      published({ maxCodeSizeConfig: undefined, maxCodeSize: 50, maxCodeSizeChangeBlock: 7 }),
    );
    expect([6, 7].map((block) => limitsAt(single.limits, block).maxCodeSize)).toEqual([undefined, 50 * KB]);
  });

  it('limits transactions to 64 kB by default, or with a limit of 0', () => {
    for (const txnSizeLimit of [undefined, 0])
      expect(limitsAt(parseGenesis(published({ txnSizeLimit })).limits, 0).maxTransactionSize).toBe(64 * KB);
  });

  it('has no gas prices until they are enabled', () => {
    const freeAt = (config: Record<string, unknown>, block: number) =>
      limitsAt(parseGenesis(published(config)).limits, block).isGasFree;
    expect(freeAt({}, 1_000)).toBe(true);
    expect([6, 7].map((block) => freeAt({ enableGasPriceBlock: 7 }, block))).toEqual([true, false]);
    const transitions = [{ block: 3, gasPriceEnabled: true }];
    expect([2, 3].map((block) => freeAt({ transitions }, block))).toEqual([true, false]);
    expect(freeAt({ isQuorum: false, rules: 'goquorum' }, 1)).toBeUndefined();
  });

  it('takes transitions with their own limits, names of algorithms in any case, and switches that are off', () => {
    const transitions = [
      { block: 2, algorithm: 'QBFT', contractSizeLimit: 128, transactionSizeLimit: 128 },
      { block: 4, 'miner.gaslimit': 700_000_000, enhancedPermissioningEnabled: false },
      { block: 6, privacyEnhancementsEnabled: false, privacyPrecompileEnabled: null, contractsizelimit: 0 },
    ];
    const config = { qbft: undefined, ibft: {}, maxCodeSizeConfig: undefined, transitions };
    const parsed = parseGenesis(published(config));
    expect(bft(config).transitions).toMatchObject([
      { block: 2, algorithm: 'qbft' },
      { block: 4, leastGasLimit: 700_000_000n },
      { block: 6 },
    ]);
    expect(parsed.promises).toEqual([]);
    expect([1, 2, 6].map((block) => limitsAt(parsed.limits, block))).toMatchObject([
      { maxCodeSize: undefined, maxTransactionSize: 64 * KB },
      { maxCodeSize: 128 * KB, maxTransactionSize: 128 * KB },
      { maxCodeSize: 128 * KB, maxTransactionSize: 128 * KB },
    ]);
  });

  it.each([0, '0x0', '0', null, undefined])(
    'has 800,000,000 gas in block 0 for a gasLimit of %p',
    (gasLimit) => {
      expect(parseGenesis(published({}, { gasLimit })).gasLimit).toBe(800_000_000n);
    },
  );

  it('has gas used', () => {
    expect(parseGenesis(published({}, { gasUsed: '0x5208' })).gasUsed).toBe(21_000n);
  });

  it('keeps empty accounts in the state, as GoQuorum does', async () => {
    const memory = new MemoryState();
    const alloc = { [ADDRESS]: { balance: '0x0' } };
    const root = memory.store(await genesisState(parseGenesis(published({}, { alloc })), memory.database));
    expect(await findAccount(await memory.database.openWorld(root), ADDRESS as never)).toMatchObject({
      nonce: 0n,
      balance: 0n,
    });
  });

  it('reads an old istanbul section: its epoch, the old quorum, times that were options', () => {
    const istanbul = { epoch: 100, policy: 0, blockPeriodSeconds: 1, epochlength: 7 };
    const config = bft({ qbft: undefined, istanbul });
    expect(config).toMatchObject({ engine: 'ibft', epochLength: 100, blockPeriodMs: 1_000 });
    expect(config.ceilQuorumBlock).toBe(Infinity);
  });

  it.each([
    ['another engine', { clique: { period: 1 } }, 'genesis config.clique: not supported'],
    ['the DAO fork', { daoForkBlock: 1 }, 'genesis config.daoForkBlock: not supported'],
    ['a fork of a test network', { yoloV3Block: 0 }, 'genesis config.yoloV3Block: not supported'],
    [
      'two blocks for one fork',
      { eip155Block: 3 },
      'genesis config.eip155Block: must be that of eip158Block',
    ],
    [
      'a code size out of range',
      { maxCodeSizeConfig: [{ block: 0, size: 129 }] },
      'genesis config.maxCodeSizeConfig.0.size: must be between 24 and 128 (kB)',
    ],
    [
      'code sizes that go back',
      {
        maxCodeSizeConfig: [
          { block: 9, size: 32 },
          { block: 8, size: 32 },
        ],
      },
      'genesis config.maxCodeSizeConfig.1.block: must be ascending',
    ],
    ['two ways to one size', { maxCodeSize: 32 }, 'cannot be given together with maxCodeSizeConfig'],
    [
      'a size in a transition beside a list',
      { transitions: [{ block: 1, contractsizelimit: 32 }] },
      'cannot be given together with transitions',
    ],
    ['a transaction size out of range', { txnSizeLimit: 31 }, 'genesis config.txnSizeLimit'],
    [
      'a transaction size out of range later',
      { transitions: [{ block: 1, transactionSizeLimit: 129 }] },
      'genesis config.transitions.0.transactionSizeLimit: must be between 32 and 128 (kB)',
    ],
  ])('is refused by name with %s', (_case, config, message) => {
    expect(() => parseGenesis(published(config))).toThrow(message);
  });

  it.each([
    ['a number other than 0', { number: '0x1' }, 'genesis number: must be 0'],
    ['an account without balance', { alloc: { [ADDRESS]: { balanc: '1' } } }, `${ADDRESS}.balance: missing`],
  ])('is refused by name with %s', (_case, rest, message) => {
    expect(() => parseGenesis(published({}, rest))).toThrow(message);
  });
});

describe('keys that promise protection', () => {
  const promises = (config: Record<string, unknown>) => parseGenesis(published(config)).promises;

  it('are found in any case', () => {
    expect(promises({ QIP714BLOCK: 0, ismps: true, privacyEnhancementsBlock: 5 })).toEqual(['config.isMPS']);
  });

  it('are found in files for Tetrad too', () => {
    const own = { rules: 'tetrad', qbft: { epochlength: 30_000 }, isMPS: true };
    const config = without(published(own).config, 'muirglacierblock');
    const parsed = parseGenesis({ ...published(), config });
    expect(parsed).toMatchObject({ rules: 'tetrad', promises: ['config.isMPS'] });
  });
});

describe('permission contracts', () => {
  it('are enforced from the block of the file on, whose key is read in any case, and by transitions', () => {
    const transitions = [{ block: 1 }, { block: 2, EnhancedPermissioningEnabled: true }];
    expect(parseGenesis(published({ QIP714BLOCK: 7 }))).toMatchObject({
      permissioningBlock: 7,
      promises: [],
    });
    expect(parseGenesis(published({ transitions }))).toMatchObject({
      permissioningBlock: undefined,
      consensus: { transitions: [{ block: 1 }, { block: 2, enhancedPermissioning: true }] },
    });
    const own = { rules: 'tetrad', qbft: { epochlength: 30_000 }, qip714Block: 9 };
    const config = without(published(own).config, 'muirglacierblock');
    expect(parseGenesis({ ...published(), config }).permissioningBlock).toBe(9);
    expect(parseGenesis({ ...published(), config: { ...config, qip714Block: null } }).warnings).toEqual([]);
  });
});
