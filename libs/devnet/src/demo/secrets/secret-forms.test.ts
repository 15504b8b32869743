import { describe, expect, it } from '@jest/globals';
import { seededRandom, testSeed } from '@tetrad/testkit';
import { findSecrets, formsOf, type Secret } from './secret-forms.js';

const random = seededRandom(testSeed());
const bytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(random() * 256));
const KEY: Secret = { name: 'node key', bytes: bytes(32) };
const PASSWORD: Secret = { name: 'password', bytes: Buffer.from('correct horse battery') };

const log = (text: string | Uint8Array) => [{ name: 'node.log', content: Buffer.from(text as string) }];
const hex = ({ bytes: value }: Secret) => Buffer.from(value).toString('hex');

describe('the search for secrets', () => {
  it.each<[string, (secret: Secret) => string | Uint8Array]>([
    ['raw', ({ bytes: value }) => Buffer.concat([Buffer.from('before '), value, Buffer.from(' after')])],
    ['hex', (secret) => `{"key":"0x${hex(secret)}"}`],
    ['HEX', (secret) => `key ${hex(secret).toUpperCase()}`],
    ['list of numbers', (secret) => JSON.stringify(Buffer.from(secret.bytes))],
    ['spaced list of numbers', ({ bytes: value }) => `Uint8Array [ ${value.join(', ')} ]`],
    ['base64, shifted by 0', ({ bytes: value }) => `"${Buffer.from(value).toString('base64')}"`],
    ['base64url, shifted by 0', ({ bytes: value }) => Buffer.from(value).toString('base64url')],
  ])('finds one planted as %s', (form, plant) => {
    for (const secret of [KEY, PASSWORD]) {
      const found = findSecrets([secret], log(plant(secret)));
      expect(found.map((finding) => finding.form)).toContain(form);
      expect(found[0]).toMatchObject({ secret: secret.name, source: 'node.log' });
    }
  });

  it('finds one in the base64 of something larger, wherever it is in it', () => {
    for (const secret of [KEY, PASSWORD]) {
      for (let before = 0; before < 7; before++) {
        for (let after = 0; after < 4; after++) {
          const whole = Buffer.concat([bytes(before), secret.bytes, bytes(after)]);
          const found = [whole.toString('base64'), whole.toString('base64url')].map((text) =>
            findSecrets([secret], log(text)),
          );
          for (const findings of found) expect(findings.length).toBeGreaterThan(0);
        }
      }
    }
  });

  it('finds each secret in each source, and shows none of them', () => {
    const sources = [
      ...log(`${hex(KEY)} ${hex(PASSWORD)}`),
      { name: 'metrics', content: Buffer.from(hex(KEY)) },
    ];
    const found = findSecrets([KEY, PASSWORD], sources);
    expect(found.map(({ secret, source }) => `${secret} in ${source}`).sort()).toEqual([
      'node key in metrics',
      'node key in node.log',
      'password in node.log',
    ]);
    for (const form of formsOf(KEY).values()) expect(JSON.stringify(found)).not.toContain(form.toString());
  });

  it('finds nothing where nothing is', () => {
    const other = { name: 'another', bytes: bytes(32) };
    expect(
      findSecrets([KEY, PASSWORD], log(`${hex(other)} ${Buffer.from(other.bytes).toString('base64')}`)),
    ).toEqual([]);
  });

  it('refuses what is too short to search for', () => {
    expect(() => findSecrets([{ name: 'pin', bytes: Buffer.from('1234') }], [])).toThrow(
      'pin has less than 8 bytes',
    );
  });
});
