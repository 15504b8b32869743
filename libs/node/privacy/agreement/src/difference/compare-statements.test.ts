import { describe, expect, it } from '@jest/globals';
import { hashFromBytes, type Hash } from '@tetrad/types';
import { UNDISCLOSED, listDigest, type ListedOutcome } from '../outcome/outcome-list.js';
import { disclosedList, ownListBytes, readOwnList, type OwnListed } from '../outcome/own-list.js';
import { compareStatements } from './compare-statements.js';

const hashOf = (byte: number): Hash => hashFromBytes(Buffer.alloc(32, byte));
const own = (byte: number, digest: number, isDisclosed = true): OwnListed => ({
  hash: hashOf(byte),
  digest: hashOf(digest),
  isDisclosed,
});
const whole = (outcomes: readonly ListedOutcome[]) => ({ outcomes, isWhole: true });

describe('the statements of a block', () => {
  const list = [own(1, 11), own(2, 12)];

  it('agree where digests are equal', () => {
    expect(compareStatements(list, listDigest(list), undefined)).toEqual({ state: 'agreed' });
    expect(compareStatements([], listDigest([]), undefined)).toEqual({ state: 'agreed' });
  });

  it('wait for the list where digests differ', () => {
    expect(compareStatements(list, hashOf(9), undefined)).toEqual({ state: 'comparing' });
  });

  it('diverge at the first transaction that differs', () => {
    const other = [own(1, 11), own(2, 99)];
    expect(compareStatements(list, listDigest(other), whole(other))).toEqual({
      state: 'diverged',
      transaction: hashOf(2),
    });
  });

  it('are open where equal digests leave out what one does not disclose', () => {
    const silent = [own(1, 11), own(2, 12, false)];
    expect(compareStatements(silent, listDigest(disclosedList(silent)), undefined)).toEqual({
      state: 'undisclosed',
    });
  });

  it('compare what the other party discloses with what is not disclosed here', () => {
    const silent = [own(1, 11), own(2, 12, false)];
    expect(compareStatements(silent, listDigest(list), whole(list))).toEqual({ state: 'agreed' });
    const other = [own(1, 11), own(2, 99)];
    expect(compareStatements(silent, listDigest(other), whole(other))).toMatchObject({ state: 'diverged' });
  });

  it('do not differ in what the other party does not disclose', () => {
    const other = [own(1, 11), { hash: hashOf(2), digest: UNDISCLOSED }];
    expect(compareStatements(list, listDigest(other), whole(other))).toEqual({ state: 'undisclosed' });
  });

  it('do not differ in results that a version before did not store', () => {
    const old = [own(1, 11), { hash: hashOf(2), digest: UNDISCLOSED, isDisclosed: false }];
    expect(compareStatements(old, listDigest(list), whole(list))).toEqual({ state: 'undisclosed' });
  });

  it('are stored with what is not disclosed', () => {
    const all = [own(1, 11), own(2, 12, false), own(3, 13)];
    expect(readOwnList(ownListBytes(all))).toEqual(all);
    expect(disclosedList(all).map(({ digest }) => digest)).toEqual([hashOf(11), UNDISCLOSED, hashOf(13)]);
  });
});
