import { describe, expect, it } from '@jest/globals';
import { faultsOf } from './decision-citations.js';

const existing = new Set([3, 144]);
// Written in parts, so that the check of the repository does not find them here.
const cited = (number: string) => `adr/${number}`;

describe('citations of decisions', () => {
  it('are accepted when the record exists', () => {
    expect(faultsOf([`a.ts:1:${cited('0003')}`, `docs/b.md:20:${cited('0144')}`, ''], existing)).toEqual([]);
  });

  it('are reported with file and line when it does not', () => {
    const faults = faultsOf([`a.ts:1:${cited('0003')}`, `docs/b.md:20:${cited('0004')}`], existing);
    expect(faults).toEqual([`docs/b.md:20: docs/${cited('0004')} does not exist`]);
  });

  it.each(['ADR', 'decision', 'Decisions:'])('are reported in the form "%s 3"', (word) => {
    expect(faultsOf([`a.ts:7:${word} 3`], existing)).toEqual([`a.ts:7: write "${word} 3" as docs/adr/NNNN`]);
  });
});
