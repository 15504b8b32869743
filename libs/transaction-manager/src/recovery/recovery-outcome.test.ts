import { describe, expect, it } from '@jest/globals';
import { RecoveryResult, outcomeOf, worseOf, type Heard } from './recovery-outcome.js';

const NOTHING = { unresolved: 0, missing: [] };
const { Success, Partial, Failure } = RecoveryResult;
const FAILED = { reason: 'no answer' };

const resultOf = (sent: readonly Heard['sent'][], unresolved = 0) =>
  outcomeOf(
    sent.map((one, index) => ({ url: `http://peer${index}/`, sent: one })),
    { unresolved, missing: [] },
  ).result;

describe('a recovery', () => {
  it.each<[RecoveryResult, Heard['sent'][]]>([
    [Success, ['all', 'all']],
    [Success, ['all', 'unchecked']],
    [Success, ['unchecked']],
    [Partial, ['all', 'restored']],
    [Partial, ['unchecked', 'restored']],
    [Partial, ['all', 'unflagged']],
    [Partial, ['unchecked', 'unflagged']],
    [Partial, ['all', FAILED]],
    [Partial, ['unchecked', FAILED]],
    [Failure, [FAILED, FAILED]],
    [Failure, []],
  ])('ends with %s after %j', (result, sent) => {
    expect(resultOf(sent)).toBe(result);
  });

  it('is partial while payloads wait for contracts that an unchecked manager may have had', () => {
    expect(resultOf(['all', 'unchecked'], 1)).toBe(Partial);
    expect(resultOf(['all', 'all'], 1)).toBe(Success);
  });

  it('names each manager once, by what it sent', () => {
    const sent: Heard['sent'][] = ['all', 'unflagged', 'restored', 'unchecked', FAILED];
    const heard = sent.map((one, index) => ({ url: `http://peer${index}/`, sent: one }));
    expect(outcomeOf(heard, NOTHING)).toEqual({
      result: Partial,
      ...NOTHING,
      answered: ['http://peer0/'],
      incomplete: ['http://peer1/'],
      restored: ['http://peer2/'],
      unchecked: ['http://peer3/'],
      failed: [{ url: 'http://peer4/', ...FAILED }],
    });
  });
});

describe('what a manager sent for several keys', () => {
  it.each<[Heard['sent'], Heard['sent'], Heard['sent']]>([
    ['restored', FAILED, FAILED],
    ['all', 'unchecked', 'unchecked'],
    ['restored', 'unchecked', 'restored'],
    ['unflagged', 'unchecked', 'unflagged'],
    ['all', 'restored', 'restored'],
  ])('%j and %j are %j together', (one, other, together) => {
    expect([worseOf(one, other), worseOf(other, one)]).toEqual([together, together]);
  });
});
