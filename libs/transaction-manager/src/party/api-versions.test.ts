import { describe, expect, it } from '@jest/globals';
import {
  SUPPORTED_VERSIONS,
  isSameVersions,
  parseApiVersions,
  readApiVersions,
  speaksCbor,
  takesMandatoryRecipients,
  takesPrivacyFlags,
} from './api-versions.js';

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

  it.each([
    ['as ours', SUPPORTED_VERSIONS, [true, true, true]],
    ['of the version before', '2.1,3.0,4.0,v1,v2', [true, true, false]],
    ['of the version after, which speaks ours too', `${SUPPORTED_VERSIONS},6.0`, [true, true, true]],
    ['from before versions', '', [false, false, false]],
    ['that we do not know', '9.0,next', [false, false, false]],
  ])('of a manager %s decide what it is sent', (_case, header, able) => {
    const versions = parseApiVersions(header);
    expect([takesPrivacyFlags(versions), takesMandatoryRecipients(versions), speaksCbor(versions)]).toEqual(
      able,
    );
  });
});
