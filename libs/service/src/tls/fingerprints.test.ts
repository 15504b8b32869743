import { describe, expect, it } from '@jest/globals';
import { parseFingerprints, readFingerprints, showsKnownCertificate } from './fingerprints.js';

const FINGERPRINT = Array.from({ length: 32 }, (_, index) => index.toString(16).padStart(2, '0')).join(':');
const OTHER = FINGERPRINT.replace('00:01', 'ff:fe');
const problem = { text: 'Illegally formatted file.', file: 'known' };
const upper = (...fingerprints: readonly string[]) => new Set(fingerprints.map((one) => one.toUpperCase()));

describe('a file of known certificates', () => {
  it('lists names with their fingerprints, several for one name too', () => {
    const known = parseFingerprints(
      `# clients\r\n\nclient one ${FINGERPRINT}\n  client one\t${OTHER}  \nhost:8545 ${OTHER}`,
      problem,
    );
    expect([...known]).toEqual([
      ['client one', upper(FINGERPRINT, OTHER)],
      ['host:8545', upper(OTHER)],
    ]);
  });

  it.each([
    ['a fingerprint alone', FINGERPRINT],
    ['a name alone', 'client'],
    ['a fingerprint that is too short', `client ${FINGERPRINT.slice(3)}`],
    ['a fingerprint without colons', `client ${FINGERPRINT.replaceAll(':', '')}`],
  ])('is refused with %s, by its line', (_case, line) => {
    expect(() => parseFingerprints(`# comment\n${line}`, problem)).toThrow(
      'Illegally formatted file. (known, line 2)',
    );
  });

  it('is empty when none is given, and named by its option when it does not exist', () => {
    const option = { flag: '--tls-known-clients-file', malformed: problem.text };
    expect(readFingerprints(undefined, option).size).toBe(0);
    expect(() => readFingerprints('/nowhere/known', option)).toThrow(
      /^--tls-known-clients-file: cannot read \/nowhere\/known/,
    );
  });
});

describe('a certificate', () => {
  const known = parseFingerprints(`one ${FINGERPRINT}\ntwo ${OTHER}`, problem);
  const shows = (certificate: object) =>
    showsKnownCertificate({ getPeerCertificate: () => certificate as never }, known);

  it('is known by its fingerprint under its common name', () => {
    expect(shows({ subject: { CN: 'one' }, fingerprint256: FINGERPRINT.toUpperCase() })).toBe(true);
    expect(shows({ subject: { CN: 'two' }, fingerprint256: FINGERPRINT.toUpperCase() })).toBe(false);
    expect(shows({ subject: { CN: ['three', 'two'] }, fingerprint256: OTHER.toUpperCase() })).toBe(true);
  });

  it('is unknown when it is absent or has no name', () => {
    expect(shows({})).toBe(false);
    expect(shows({ fingerprint256: FINGERPRINT.toUpperCase() })).toBe(false);
  });
});
