import { describe, expect, it } from '@jest/globals';
import { importPriority } from './import-priority.js';

describe('imports before other work', () => {
  const at = { head: 0, highest: undefined as number | undefined };
  const priority = () => {
    Object.assign(at, { head: 100, highest: undefined });
    return importPriority({ head: () => at.head, highest: () => at.highest });
  };

  it('go first while many blocks are missing and come', () => {
    const isImporting = priority();
    expect(isImporting()).toBe(false);
    at.highest = 10_000;
    at.head += 1;
    expect(isImporting()).toBe(true);
    at.head += 50;
    expect(isImporting()).toBe(true);
  });

  it('do not on a node that is always a few blocks behind', () => {
    const isImporting = priority();
    for (let block = 0; block < 10; block += 1) {
      at.head += 1;
      at.highest = at.head + 64;
      expect(isImporting()).toBe(false);
    }
  });

  it('do not for what a peer only says it has', () => {
    const isImporting = priority();
    at.highest = 1_000_000;
    expect(isImporting()).toBe(true);
    expect(isImporting()).toBe(false);
    at.head += 1;
    expect(isImporting()).toBe(true);
  });
});
