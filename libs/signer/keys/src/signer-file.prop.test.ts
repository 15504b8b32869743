import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyLoadError } from './key-load-error.js';
import { parseSignerFile } from './signer-file.js';

const SECRET = 'c0ffee-secret';
const keys = [
  'type',
  'key-file',
  'password-file',
  'priv-key',
  'keyPath',
  'token',
  'serverHost',
  'serverPort',
  'tlsEnable',
  'timeout',
];
const value = fc.constantFrom(
  `"${SECRET}"`,
  '5',
  '-1',
  'true',
  '[]',
  '{}',
  '""',
  '"raw-signer"',
  '"hashicorp-signer"',
  '"file-based-signer"',
  `'${SECRET}`,
  SECRET,
);

describe('signer files', () => {
  it('of any content are read or refused, and what is refused is not repeated', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 8 }), (lines) => {
        const toml = `[signing]\n${lines.map(([key, text]) => `${key} = ${text}`).join('\n')}\n`;
        try {
          parseSignerFile(toml);
        } catch (error) {
          expect(error).toBeInstanceOf(KeyLoadError);
          expect((error as Error).message).not.toContain(SECRET);
        }
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseSignerFile(text)).toThrow(KeyLoadError);
      }),
    );
  });
});
