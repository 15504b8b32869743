import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { VaultError } from './vault-error.js';
import { certificatesOfJks } from './jks.js';
import { certificatesOfPkcs12 } from './pkcs12.js';

const vector = (name: string) => readFileSync(join(import.meta.dirname, '../../test/vectors', name));
const fingerprint = (content: Uint8Array) => new X509Certificate(content).fingerprint256;
const [vault, other] = [fingerprint(vector('vault.crt')), fingerprint(vector('other.crt'))];

const stores = [
  ['keytool.jks', certificatesOfJks, [vault, other]],
  ['keytool.pkcs12', certificatesOfPkcs12, [vault, other]],
  ['openssl-aes.p12', certificatesOfPkcs12, [vault]],
  ['openssl-3des.p12', certificatesOfPkcs12, [vault]],
] as const;

describe.each(stores)('a store of trust, %s,', (name, read, expected) => {
  const content = vector(name);

  it('holds the certificates that were put in', () => {
    expect(read(content, 'changeit', name).map(fingerprint).sort()).toEqual([...expected].sort());
  });

  it('is refused, or holds the same, with one bit changed or its end cut off', () => {
    const damage = fc.oneof(
      fc.tuple(fc.nat(content.length - 1), fc.nat(7)).map(([at, bit]) => {
        const changed = Buffer.from(content);
        changed[at] = (changed[at] as number) ^ (1 << bit);
        return changed;
      }),
      fc.nat(content.length - 1).map((length) => content.subarray(0, length)),
    );
    fc.assert(
      fc.property(damage, (changed) => {
        try {
          expect(read(changed, 'changeit', name).map(fingerprint).sort()).toEqual([...expected].sort());
        } catch (error) {
          expect(error).toBeInstanceOf(VaultError);
          expect((error as Error).message).toMatch(new RegExp(`^${name}: `));
        }
      }),
      { numRuns: 50 },
    );
  });
});
