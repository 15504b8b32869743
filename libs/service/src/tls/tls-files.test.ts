import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileOptions } from '../file-options.js';
import { readKeystoreFile } from './keystore-file.js';
import { assertUsable, readAuthorities, readCertificatePair } from './tls-files.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-files-'));
  await writeFile(join(folder, 'a'), 'text of a');
  await writeFile(join(folder, 'b'), 'text of b');
  await writeFile(join(folder, 'empty'), '');
});
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

describe('options of a group of files', () => {
  it('are named by their prefix and kind, in the order given', () => {
    const table = fileOptions('peerTls', 'Peers', {
      KeyFile: 'The key.',
      CertFile: { description: 'The certificate.', aliases: ['peer.cert'] },
    });
    expect(Object.entries(table)).toMatchObject([
      ['peerTlsKeyFile', { group: 'Peers', description: 'The key.' }],
      ['peerTlsCertFile', { group: 'Peers', description: 'The certificate.', aliases: ['peer.cert'] }],
    ]);
    expect(table.peerTlsKeyFile.type.placeholder).toBe('FILE');
  });
});

describe('a certificate and its key', () => {
  const read = (peerTlsCertFile?: string, peerTlsKeyFile?: string) =>
    readCertificatePair({ peerTlsCertFile, peerTlsKeyFile }, 'peerTls');

  it('are read together, or are both absent', () => {
    expect(read(at('a'), at('b'))).toEqual({ cert: 'text of a', key: 'text of b' });
    expect(read()).toBeUndefined();
  });

  it('need one another, and files that can be read', () => {
    expect(() => read(undefined, at('b'))).toThrow(
      '--peer-tls-cert-file: is required with --peer-tls-key-file',
    );
    expect(() => read(at('a'))).toThrow('--peer-tls-key-file: is required with --peer-tls-cert-file');
    expect(() => read(at('a'), at('none'))).toThrow(/^--peer-tls-key-file: cannot read /);
  });

  it('must be usable', () => {
    expect(() =>
      assertUsable({ cert: 'text of a', key: 'text of b' }, '--tls-cert-file: not usable'),
    ).toThrow(/^--tls-cert-file: not usable: ./);
    expect(() => assertUsable({}, 'unused')).not.toThrow();
  });
});

describe('authorities', () => {
  it('are read from the file of their option, or are absent', () => {
    const read = (ptmTlsCaFile?: string) => readAuthorities({ ptmTlsCaFile }, 'ptmTls', 'CaFile');
    expect([read(at('a')), read()]).toEqual(['text of a', undefined]);
    expect(() => read(at('none'))).toThrow(/^--ptm-tls-ca-file: cannot read /);
  });
});

describe('a key store for TLS', () => {
  const read = (tlsKeystoreFile?: string, tlsKeystorePasswordFile?: string) =>
    readKeystoreFile({ tlsKeystoreFile, tlsKeystorePasswordFile }, 'tls');

  it('needs its password', () => {
    expect(read()).toBeUndefined();
    expect(() => read(at('a'))).toThrow(
      "Missing required argument(s): '--tls-keystore-password-file=<FILE>'",
    );
    expect(() => read(undefined, at('b'))).toThrow(
      "Missing required argument(s): '--tls-keystore-file=<FILE>'",
    );
    expect(() => read(at('a'), at('empty'))).toThrow(
      `--tls-keystore-password-file: Cannot read from empty file (${at('empty')})`,
    );
  });

  it('must be valid', () => {
    expect(() => read(at('a'), at('b'))).toThrow(/^--tls-keystore-file: .* cannot be used: ./);
  });
});
