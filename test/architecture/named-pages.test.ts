import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { faultsOfSources, nameFaults } from './named-pages.js';

const root = join(import.meta.dirname, '../..');

describe('pages that comments name', () => {
  it('exist, with the headings that are named', () => {
    expect(faultsOfSources(root)).toEqual([]);
  });

  it.each([
    ['gone.md, section 3', ['gone.md: no such page']],
    ['docs/spec/gone.md', ['docs/spec/gone.md: no such page']],
    ['docs/spec/here.md#gone', ['docs/spec/here.md#gone: no such heading']],
    ['docs/spec/here.md#there and #gone', ['docs/spec/here.md#gone: no such heading']],
    ['docs/spec/here.md#there, here.md', []],
  ])('are found in “%s”', (text, faults) => {
    const found = nameFaults(text, new Set(['docs/spec/here.md']), () => new Set(['there']));
    expect(found.map(({ name, problem }) => `${name}: ${problem}`)).toEqual(faults);
  });
});
