import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { parsePtmKey, type PtmKey } from '@tetrad/types';
import { obstacleIn, type PartyAnswer, type RepairRule } from '../repair/check-answers.js';
import type { RepairStatement } from '../repair/repair-statement.js';
import { compareStated } from './compare-stated.js';
import { stateDigest, type ContractState } from './contract-state.js';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((letter) =>
  parsePtmKey(Buffer.alloc(32, letter).toString('base64')),
) as [PtmKey, PtmKey, PtmKey, PtmKey];

const hash = (text: string) => keccakHash(Buffer.from(text));
const STATE: ContractState = { nonce: 1n, balance: 0n, storageRoot: hash('root'), codeHash: hash('code') };
const OTHER = { ...STATE, storageRoot: hash('another root') };

describe('states of a contract that parties have stated', () => {
  it('confirm one, contradict it, or are missing', () => {
    const stated = new Map([
      [A, STATE],
      [B, OTHER],
      [D, { ...STATE }],
    ]);
    expect(compareStated(stateDigest(STATE), [A, B, C, D], (key) => stated.get(key))).toEqual({
      confirmed: [A, D],
      contradicted: [B],
      silent: [C],
    });
  });

  it.each<[keyof ContractState, Partial<ContractState>]>([
    ['nonce', { nonce: 2n }],
    ['balance', { balance: 1n }],
    ['storageRoot', { storageRoot: hash('a slot') }],
    ['codeHash', { codeHash: hash('other code') }],
  ])('contradict it by the %s alone', (_field, change) => {
    const { contradicted } = compareStated(stateDigest(STATE), [A], () => ({ ...STATE, ...change }));
    expect(contradicted).toEqual([A]);
  });

  it('count a party that is named twice once', () => {
    const verdict = compareStated(stateDigest(STATE), [A, A], () => STATE);
    expect(verdict).toEqual({ confirmed: [A], contradicted: [], silent: [] });
  });
});

describe('a repair by what the parties have stated', () => {
  const says = (state: ContractState): PartyAnswer => ({
    kind: 'stated',
    statement: { state } as RepairStatement,
    signed: new Uint8Array(0),
  });
  const refuses: PartyAnswer = { kind: 'refused', reason: 'notShared' };
  const obstacle = (rule: RepairRule, answers: readonly [PtmKey, PartyAnswer][], others = [B, C, D]) =>
    obstacleIn({ source: A, others, rule }, new Map(answers));

  it.each<[RepairRule, readonly [PtmKey, PartyAnswer][]]>([
    ['one', [[A, says(STATE)]]],
    [
      'most',
      [
        [A, says(STATE)],
        [B, says(OTHER)],
        [C, says(STATE)],
        [D, says(STATE)],
      ],
    ],
    [
      'all',
      [
        [A, says(STATE)],
        [B, says(STATE)],
        [C, says(STATE)],
        [D, says(STATE)],
      ],
    ],
  ])('is not hindered when %s must state the same and do', (rule, answers) => {
    expect(obstacle(rule, answers)).toBeUndefined();
  });

  it('names the first party that does not state the same, and why', () => {
    const most: readonly [PtmKey, PartyAnswer][] = [
      [A, says(STATE)],
      [B, says(STATE)],
    ];
    expect(obstacle('all', [...most, [C, says(OTHER)], [D, refuses]])).toBe(
      `party ${C} states another state of the contract`,
    );
    expect(obstacle('all', [...most, [C, refuses]])).toContain(`party ${C} does not have the contract`);
    expect(obstacle('all', most)).toBe(`party ${C} has not answered`);
  });

  it('needs more than half, and two at least', () => {
    const half: readonly [PtmKey, PartyAnswer][] = [
      [A, says(STATE)],
      [B, says(STATE)],
      [C, says(OTHER)],
    ];
    expect(obstacle('most', half)).toContain('only 2 of 4 parties');
    expect(obstacle('most', half, [B, C])).toBeUndefined();
    expect(obstacle('most', [[A, says(STATE)]], [])).toContain('only 1 of 1 parties');
  });

  it('is hindered when the source has not answered, or refuses', () => {
    expect(obstacle('one', [])).toBe(`party ${A} has not answered`);
    expect(obstacle('one', [[A, refuses]])).toContain(`party ${A} does not have the contract`);
  });
});
