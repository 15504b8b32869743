import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { defaultGenesis, parseGenesis, type Genesis } from '@tetrad/node-execution';
import { ZERO_ADDRESS, parseAddress, type Address } from '@tetrad/types';
import { bftChainRules } from '../src/index.js';

const [PROPOSER, X, Y, Z] = ['01', '02', '03', '04'].map((byte) => parseAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
  Address,
];
const LETTERS = new Map([
  [PROPOSER, 'P'],
  [X, 'X'],
  [Y, 'Y'],
  [Z, 'Z'],
  [ZERO_ADDRESS, '0'],
] as const);
/** Blocks before, in and after the first transition, and in the second. */
const BLOCKS = [3, 4, 7, 8];

type Keys = Readonly<Record<string, unknown>>;

function genesisWith(section: Keys, transitions: readonly Keys[], config: Keys = {}): Genesis {
  const file = defaultGenesis({
    chainId: 10,
    engine: 'qbft',
    blockPeriodMs: 1000,
    extraData: '0x',
    balances: new Map(),
  });
  return parseGenesis({
    ...file,
    config: {
      chainId: 10,
      isQuorum: true,
      qbft: { blockReward: '1000', ...section },
      transitions,
      ...config,
    },
  });
}

function paidBy(genesis: Genesis): string {
  const rules = bftChainRules(genesis);
  return BLOCKS.map((number) => {
    const reward = rules.rewardOf({ number, proposer: PROPOSER });
    // undefined is the EVM's COINBASE, which is the proposer.
    const feeRecipient = rules.feeRecipientOf({ number }) ?? PROPOSER;
    if (reward?.wei !== 1000n || reward.beneficiary !== feeRecipient) return '?';
    return LETTERS.get(reward.beneficiary);
  }).join('');
}

interface Row {
  readonly keys: string;
  readonly cells: readonly string[];
}

/** The table of the file: rows of first transitions by section. */
function readTable(): Map<string, Row[]> {
  const text = readFileSync(join(import.meta.dirname, '../vectors/reward-accounts.txt'), 'utf8');
  const parts = text.split('section ').slice(1);
  return new Map(
    parts.map((part) => {
      const [section = '', ...lines] = part.trimEnd().split('\n');
      const rows = lines.map((line) => {
        const [mode, beneficiary, ...cells] = line.split(' ');
        return { keys: `${mode} ${beneficiary}`, cells };
      });
      return [section, rows];
    }),
  );
}

function keysOf(text: string, beneficiary: Address): Keys {
  const [mode, mark] = text.split(' ');
  return {
    ...(mode === 'none' ? {} : { beneficiaryMode: mode === "''" ? '' : mode }),
    ...(mark === '-' ? {} : { miningBeneficiary: beneficiary }),
  };
}

describe('the account that GoQuorum pays, for every mode and beneficiary', () => {
  const table = readTable();

  it('is in the table for each section, first and second transition', () => {
    const sizes = [...table.values()].map((rows) => [rows.length, ...rows.map(({ cells }) => cells.length)]);
    expect([...new Set(sizes.flat()), sizes.length]).toEqual([18, 18]);
  });

  it.each([...table])('is paid with the section %s', (section, rows) => {
    for (const { keys, cells } of rows) {
      const paid = rows.map((second) =>
        paidBy(
          genesisWith(keysOf(section, X), [
            { block: 4, ...keysOf(keys, Y) },
            { block: 8, ...keysOf(second.keys, Z) },
          ]),
        ),
      );
      const expected = cells.map(([before, first, second]) => `${before}${first}${first}${second}`);
      expect([keys, ...paid]).toEqual([keys, ...expected]);
    }
  });

  it('is named in a warning where the words say something else', () => {
    const { warnings } = genesisWith({ beneficiaryMode: 'validators' }, [
      { block: 4, beneficiaryMode: 'list' },
      { block: 8, beneficiaryMode: 'validators' },
    ]);
    expect(warnings).toEqual([
      'config.qbft.beneficiaryMode: rewards and fees go to the zero address, as in GoQuorum',
      'config.transitions.0.beneficiaryMode changes nothing, as in GoQuorum',
    ]);
  });
});

describe('a block of the older format under the rules of GoQuorum', () => {
  const transitions = [
    { block: 2, blockReward: '1000', miningBeneficiary: Y },
    { block: 8, algorithm: 'qbft' },
  ];
  const genesis = genesisWith({}, transitions, {
    qbft: undefined,
    ibft: { blockReward: '7', miningBeneficiary: X },
  });
  const rules = bftChainRules(genesis);

  it('has no reward, which begins with the newer format', () => {
    const rewardAt = (number: number) => rules.rewardOf({ number, proposer: PROPOSER });
    expect([1, 7, 8].map(rewardAt)).toEqual([undefined, undefined, { beneficiary: Y, wei: 1000n }]);
    expect(genesis.warnings).toEqual([
      'config.ibft.blockReward is ignored, as in GoQuorum',
      'config.ibft.miningBeneficiary is ignored, as in GoQuorum',
    ]);
  });

  it('pays fees to the beneficiary of a transition', () => {
    expect([1, 2, 8].map((number) => rules.feeRecipientOf({ number }))).toEqual([undefined, Y, Y]);
  });
});

describe('under the rules of Tetrad', () => {
  const rewardAt = (section: Keys, transitions: readonly Keys[] = []) => {
    const rules = bftChainRules(genesisWith(section, transitions, { isQuorum: undefined }));
    expect(rules.feeRecipientOf({ number: 9 })).toBeUndefined();
    return rules.rewardOf({ number: 9, proposer: PROPOSER })?.beneficiary;
  };

  it('a section without a known beneficiary pays the proposer, never the zero address', () => {
    for (const beneficiaryMode of ['validator', 'validators', 'list'])
      expect(rewardAt({ beneficiaryMode, miningBeneficiary: X })).toBe(PROPOSER);
    expect(rewardAt({ beneficiaryMode: 'fixed' })).toBe(PROPOSER);
    expect(rewardAt({ beneficiaryMode: 'fixed', miningBeneficiary: X })).toBe(X);
    expect(rewardAt({ beneficiaryMode: '', miningBeneficiary: X })).toBe(X);
  });

  it('transitions have the effect that they have in GoQuorum', () => {
    const paysY = { block: 4, miningBeneficiary: Y };
    expect(rewardAt({ beneficiaryMode: 'validator' }, [paysY])).toBe(Y);
    expect(rewardAt({}, [paysY, { block: 8, beneficiaryMode: 'list' }])).toBe(Y);
    expect(rewardAt({}, [paysY, { block: 8, beneficiaryMode: 'validators' }])).toBe(PROPOSER);
  });
});
