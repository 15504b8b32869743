import { describe, expect, it } from '@jest/globals';
import { isSameVersions, parseApiVersions, readApiVersions } from './api-versions.js';

describe('API versions', () => {
  it('are read of an answer to GET /version/api', () => {
    expect(readApiVersions('["1.0","2.1"]')).toEqual(new Set(['1.0', '2.1']));
  });

  it.each(['', 'welcome', '{}', '"5.0"', '[5]', '[["5.0"]]', 'null'])('are not read of %j', (text) => {
    expect(readApiVersions(text)).toBeUndefined();
  });

  it('are the same by either of their names', () => {
    const announced = parseApiVersions('2.1, v2,v1');
    expect(isSameVersions(announced, new Set(['1.0', '2.0', '2.1']))).toBe(true);
    expect(isSameVersions(announced, new Set(['1.0', '2.0']))).toBe(false);
    expect(isSameVersions(announced, new Set(['1.0', '2.0', '3.0']))).toBe(false);
    expect(isSameVersions(new Set(), announced)).toBe(false);
  });
});
