import { describe, expect, it } from '@jest/globals';
import { rulesAt } from './forks.js';
import { parseGenesis } from './genesis.js';

const forkAt0 = (json: unknown, rules?: 'tetrad' | 'goquorum') =>
  rulesAt(parseGenesis(json, rules).forks, { number: 0, timestamp: 0 }).fork;

describe('the rules for a file', () => {
  const qbft = { epochlength: 30_000 };
  const file = (config: Record<string, unknown>) => ({
    alloc: {},
    difficulty: '0x1',
    gasLimit: '0x1',
    config: { chainId: 10, qbft, ...config },
  });

  it.each([
    ['neither file nor option names them', file({ londonBlock: 0 }), undefined, 'tetrad', 'london'],
    ['the file has isQuorum', file({ isQuorum: true, berlinBlock: 0 }), undefined, 'goquorum', 'berlin'],
    [
      'London is beside isQuorum',
      file({ isQuorum: true, londonBlock: 0 }),
      undefined,
      'goquorum',
      'chainstart',
    ],
    [
      'the file names goquorum',
      file({ rules: 'goquorum', londonBlock: 0 }),
      undefined,
      'goquorum',
      'chainstart',
    ],
    [
      'the file names tetrad',
      file({ isQuorum: true, rules: 'tetrad', londonBlock: 0 }),
      undefined,
      'tetrad',
      'london',
    ],
    ['the option names goquorum', file({ londonBlock: 0 }), 'goquorum', 'goquorum', 'chainstart'],
    ['the option names tetrad', file({ isQuorum: true, osakaTime: 0 }), 'tetrad', 'tetrad', 'osaka'],
  ] as const)('are chosen where %s', (_case, json, option, rules, fork) => {
    expect(parseGenesis(json, option).rules).toBe(rules);
    expect(forkAt0(json, option)).toBe(fork);
  });

  it.each([
    ['a fork that no file for GoQuorum has', { isQuorum: true, shanghaiTime: 0 }, 'shanghaiTime'],
    ['London beside keys of GoQuorum', { txnSizeLimit: 64, londonBlock: 0 }, 'londonBlock'],
    ['London beside a section of GoQuorum', { qbft: undefined, istanbul: {}, londonBlock: 0 }, 'londonBlock'],
  ])('must be named where %s makes the file ambiguous', (_case, config, key) => {
    expect(() => parseGenesis(file(config))).toThrow(
      `genesis config.${key}: GoQuorum ignores it and Tetrad follows it; say which rules hold`,
    );
    expect(parseGenesis(file(config), 'goquorum').rules).toBe('goquorum');
    expect(parseGenesis(file({ ...config, rules: 'tetrad' })).rules).toBe('tetrad');
  });

  it.each([
    [0, 'roundRobin'],
    [1, 'sticky'],
    [2, 'roundRobin'],
  ])('make policy %s that of GoQuorum: %s', (policy, proposerPolicy) => {
    for (const rules of ['tetrad', 'goquorum'] as const)
      expect(parseGenesis(file({ qbft: { policy } }), rules).consensus).toMatchObject({
        proposerPolicy,
        proposerPolicyId: policy,
      });
  });

  it('must not contradict each other, nor have other names', () => {
    expect(() => parseGenesis(file({ rules: 'tetrad' }), 'goquorum')).toThrow(
      'genesis config.rules: tetrad contradicts the option --genesis-rules goquorum',
    );
    expect(() => parseGenesis(file({ rules: 'quorum' }))).toThrow('genesis config.rules: must be');
  });

  it('read keys in any letter case in files for Tetrad too, as geth and Besu do', () => {
    const capitals = {
      londonblock: 0,
      TRANSITIONS: [{ Block: 1, contractSizeLimit: 32 }],
    };
    const exact = { londonBlock: 0, transitions: [{ block: 1, contractsizelimit: 32 }] };
    const { fileConfig, ...read } = parseGenesis(file(capitals));
    expect(fileConfig).toMatchObject(capitals);
    expect({ ...read, fileConfig: exact }).toEqual({ ...parseGenesis(file(exact)), fileConfig: exact });
    expect(() => parseGenesis(file({ londonBlock: 0, londonblock: 1 }))).toThrow(
      'genesis config.londonblock: duplicate key, see londonBlock',
    );
    expect(() => parseGenesis(file({ transitions: [{ block: 1, contractSize: 32 }] }))).toThrow(
      'contractSize',
    );
    const account = { Balance: '0X1F', CODE: '0X60', storage: { '0X1': '0XAB' } };
    const alloc = { [`0X${'AB'.repeat(20)}`]: account };
    expect(parseGenesis({ ...file({}), alloc }).alloc).toMatchObject([
      { address: `0x${'ab'.repeat(20)}`, balance: 31n, code: Uint8Array.of(0x60) },
    ]);
    expect(parseGenesis(file({ somethingElse: 1, ethash: {} })).warnings).toEqual([
      'config.somethingElse is unknown and ignored',
    ]);
  });
});
