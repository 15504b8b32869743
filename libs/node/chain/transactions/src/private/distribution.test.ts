import { describe, expect, it } from '@jest/globals';
import { parsePtmKey } from '@tetrad/types';
import { assertNothingPrivate, isPrivateRequest, readDistribution } from './distribution.js';

const KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');

describe('the private members of a request', () => {
  it('make it private with recipients, and with an empty list of them', () => {
    expect(isPrivateRequest({ privateFor: [] })).toBe(true);
    expect(isPrivateRequest({ privateFor: [KEY] })).toBe(true);
    expect(isPrivateRequest({ privacyFlag: 0 })).toBe(false);
  });

  it.each([{ privateFrom: KEY }, { privacyFlag: 1 }, { mandatoryFor: [] }, { allowSubset: true }])(
    'never go out in public without recipients: %o',
    (members) => {
      expect(() => assertNothingPrivate(members)).toThrow(
        'transaction is not private: privateFor is missing',
      );
    },
  );

  it('may set flag 0 for a public transaction', () => {
    expect(() => assertNothingPrivate({ privacyFlag: 0 })).not.toThrow();
  });

  it('default to flag 0 and no mandatory recipients', () => {
    expect(readDistribution({ privateFor: [KEY] }, false)).toEqual({
      from: undefined,
      to: [KEY],
      privacyFlag: 0,
      mandatoryFor: [],
    });
  });

  /** Source: docs/spec/private-transactions.md#requests; the first rule that is broken determines the error. */
  it.each([
    [{ privacyFlag: 4 }, false, 'INVALID_PRIVACY_FLAG', 'invalid privacy flag'],
    [
      { privacyFlag: 2 },
      false,
      'PRIVACY_ENHANCEMENTS_DISABLED',
      'PrivacyEnhancements are disabled. Can only accept transactions with PrivacyFlag=0(StandardPrivate).',
    ],
    [
      { privacyFlag: 2, mandatoryFor: [] },
      true,
      'MANDATORY_RECIPIENTS_MISSING',
      'missing mandatory recipients data. if no mandatory recipients required consider using PrivacyFlag=1(PartyProtection)',
    ],
    [
      { privacyFlag: 1, mandatoryFor: [KEY] },
      true,
      'MANDATORY_RECIPIENTS_NOT_APPLICABLE',
      'privacy metadata invalid. mandatory recipients are only applicable for PrivacyFlag=2(MandatoryRecipients)',
    ],
    [
      { mandatoryFor: [KEY] },
      false,
      'MANDATORY_RECIPIENTS_NOT_APPLICABLE',
      'privacy metadata invalid. mandatory recipients are only applicable for PrivacyFlag=2(MandatoryRecipients)',
    ],
  ])('are refused: %o, enhancements %s', (members, enhancements, reason, message) => {
    const read = () => readDistribution({ privateFor: [KEY], ...members }, enhancements);
    expect(read).toThrow(expect.objectContaining({ code: reason, message }));
  });
});
