import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, signDigest } from '@tetrad/crypto';
import { InvalidBlockError } from '@tetrad/node-block';
import { defaultGenesis, parseGenesis } from '@tetrad/node-execution';
import { ZERO_ADDRESS, ZERO_HASH, type BlockHeader } from '@tetrad/types';
import { RaftChainRules } from './raft-chain-rules.js';
import { raftSealDigest, sealHeader } from './raft-seal.js';

const PRIVATE_KEY = new Uint8Array(32).fill(7);
const MINTER = addressFromPrivateKey(PRIVATE_KEY);
const NOW = 1_700_000_000_123_456_789n;
const ETHER = 10n ** 18n;

function rulesWith(config: Readonly<Record<string, unknown>> = {}): RaftChainRules {
  const json = defaultGenesis({
    chainId: 1337,
    engine: 'qbft',
    blockPeriodMs: 1000,
    extraData: '0x',
    balances: new Map(),
  });
  const own = { ...(json['config'] as object), qbft: undefined, raft: true, ...config };
  return new RaftChainRules(parseGenesis({ ...json, config: own }));
}

const rules = rulesWith();

const parentHeader: BlockHeader = {
  parentHash: ZERO_HASH,
  ommersHash: ZERO_HASH,
  beneficiary: ZERO_ADDRESS,
  stateRoot: ZERO_HASH,
  transactionsRoot: ZERO_HASH,
  receiptsRoot: ZERO_HASH,
  logsBloom: new Uint8Array(256),
  difficulty: 131_072n,
  number: 4,
  gasLimit: 700_000_000n,
  gasUsed: 0n,
  timestamp: NOW,
  extraData: new Uint8Array(0),
  mixHash: ZERO_HASH,
  nonce: new Uint8Array(8),
};
const parent = { header: parentHeader, hash: rules.hashHeader(parentHeader) };

function sealedBy(raftId: number, header: BlockHeader): BlockHeader {
  return sealHeader(header, { raftId, signature: signDigest(raftSealDigest(header), PRIVATE_KEY) });
}

/** What the block after the parent says, but for the changes. */
function check(changes: Partial<BlockHeader>): () => void {
  const next = { ...parentHeader, number: 5, parentHash: parent.hash, timestamp: NOW + 1n };
  const sealed = sealedBy(3, { ...next, ...changes });
  const header = changes.extraData === undefined ? sealed : { ...sealed, extraData: changes.extraData };
  const conditions = { parent, snapshot: { number: 4 }, latestMs: 0, isProposal: false };
  return () => rules.assertHeader({ header, hash: rules.hashHeader(header) }, conditions);
}

describe('a header of a raft chain', () => {
  it('follows its parent, later by a nanosecond at least, whatever the clock of this node', () => {
    expect(check({})).not.toThrow();
    expect(check({ timestamp: NOW + 10n ** 18n })).not.toThrow();
  });

  it('is not checked for difficulty and gas limit, as in GoQuorum', () => {
    expect(check({ difficulty: 1n, gasLimit: 5n, gasUsed: 5n })).not.toThrow();
  });

  it.each([
    ['invalid block number', { number: 6 }],
    ['unknown ancestor', { parentHash: ZERO_HASH }],
    ['timestamp is not later than that of the parent', { timestamp: NOW }],
    ['gas used is above the gas limit', { gasUsed: 700_000_001n }],
    ['extraData: no seal', { extraData: new Uint8Array(32) }],
  ])('is refused with %s', (text, changes) => {
    expect(check(changes)).toThrow(InvalidBlockError);
    expect(check(changes)).toThrow(text);
  });

  it('names its minter by the seal, and block 0 by its beneficiary', () => {
    const sealed = sealedBy(9, parentHeader);
    expect(rules.proposerOf(sealed)).toBe(MINTER);
    expect(rules.coinbaseOf(sealed)).toBe(ZERO_ADDRESS);
    expect(rules.proposerOf({ ...parentHeader, number: 0 })).toBe(ZERO_ADDRESS);
  });
});

describe('the block after a parent', () => {
  const next = (config?: Readonly<Record<string, unknown>>) =>
    rulesWith(config).nextContext(parentHeader, { proposer: MINTER, timestamp: NOW + 5n });

  it('has the minimum difficulty, the limit of its parent, and its time in both units', () => {
    expect(next()).toEqual({
      number: 5,
      timestamp: 1_700_000_000,
      evmTimestamp: NOW + 5n,
      proposer: ZERO_ADDRESS,
      gasLimit: 700_000_000n,
      difficulty: 131_072n,
      mixHash: ZERO_HASH,
    });
  });

  it('names the minter as beneficiary where gas has a price', () => {
    const from = (block: number) => ({ transitions: [{ block, gasPriceEnabled: true }] });
    expect(next(from(5)).proposer).toBe(MINTER);
    expect(next(from(6)).proposer).toBe(ZERO_ADDRESS);
  });
});

describe('the reward of a block', () => {
  it.each([
    [5n, {}],
    [3n, { byzantiumBlock: 0 }],
    [2n, { byzantiumBlock: 0, constantinopleBlock: 0 }],
  ])('is %s ether under the forks of the chain', (ether, later) => {
    const forks = { homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 0, ...later };
    const file = {
      config: { chainId: 10, raft: true, ...forks },
      alloc: {},
      gasLimit: '0x1',
      difficulty: '0x0',
    };
    const old = new RaftChainRules(parseGenesis(file));
    expect(old.rewardOf({ number: 1, proposer: MINTER })).toEqual({
      beneficiary: MINTER,
      wei: ether * ETHER,
    });
  });
});

describe('fees', () => {
  const transitions = [
    { block: 3, miningBeneficiary: MINTER },
    { block: 9, beneficiaryMode: 'validators' },
  ];
  const recipientsOf = (chain: RaftChainRules) => [2, 3, 9].map((number) => chain.feeRecipientOf({ number }));

  it('go to the account of a transition under the rules of GoQuorum only, unlike the reward', () => {
    const file = {
      config: { chainId: 10, isQuorum: true, transitions },
      alloc: {},
      gasLimit: '0x1',
      difficulty: '0x0',
    };
    const foreign = new RaftChainRules(parseGenesis(file));
    expect(recipientsOf(foreign)).toEqual([undefined, MINTER, undefined]);
    expect(foreign.rewardOf({ number: 4, proposer: ZERO_ADDRESS }).beneficiary).toBe(ZERO_ADDRESS);
    expect(recipientsOf(rulesWith({ transitions }))).toEqual([undefined, undefined, undefined]);
  });
});

describe('times', () => {
  it('count nanoseconds', () => {
    expect(rules.timeMsOf({ timestamp: NOW })).toBe(1_700_000_000_123);
    expect(rules.timestampAt(1_700_000_000_123)).toBe(1_700_000_000_123_000_000n);
    expect(rules.timestampStep()).toBe(50_000_000n);
  });
});
