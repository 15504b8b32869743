import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { reasonOf } from './startup-error.js';

function reasonFor(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return reasonOf(error);
  }
  throw new Error('it did not fail');
}

describe('the reason shown to an operator', () => {
  it('is in words, where the system and OpenSSL have numbers and names of functions', () => {
    expect(reasonFor(() => readFileSync(tmpdir()))).toBe('it is a folder, not a file');
    expect(reasonFor(() => createSecureContext({ cert: 'text' }))).toBe('it holds no PEM block of that kind');
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'secret',
    });
    expect(reasonFor(() => createSecureContext({ key: key.toString() }))).not.toMatch(/error:|routines/);
    expect(reasonOf(new Error('error:12345678:some routines::what it is'))).toBe('what it is');
  });

  it('is the first line of anything else', () => {
    expect(reasonOf(new Error('one\ntwo'))).toBe('one');
    expect(reasonOf(new AggregateError([new Error('the first')], 'all'))).toBe('the first');
    expect(reasonOf('text')).toBe('text');
  });
});
