import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';

/** Whether certificates can be made here; `openssl` makes them. */
export const HAS_OPENSSL = hasOpenssl();

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('TLS tests are skipped: openssl is not installed on this host\n');
    return false;
  }
}

/** A certificate that signed itself, in the forms in which programs want it. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** PKCS#12 file and the file with its password. */
  readonly keystoreFile: string;
  readonly passwordFile: string;
  /** SHA-256: hex in upper case, colons between the bytes. */
  readonly fingerprint: string;
}

/** Makes a certificate for the common name, valid for localhost and 127.0.0.1 unless another host is given. */
export function makeCertificate(
  folder: string,
  commonName: string,
  hosts = 'DNS:localhost,IP:127.0.0.1',
): Certificate {
  const path = (extension: string) => join(folder, `${commonName}.${extension}`);
  openssl([
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '30',
    '-subj',
    `/CN=${commonName}`,
    '-addext',
    `subjectAltName=${hosts}`,
    '-keyout',
    path('key'),
    '-out',
    path('crt'),
  ]);
  openssl([
    'pkcs12',
    '-export',
    '-inkey',
    path('key'),
    '-in',
    path('crt'),
    '-out',
    path('p12'),
    '-passout',
    'pass:changeit',
  ]);
  writeFileSync(path('password'), 'changeit\nsecond line');
  const cert = readFileSync(path('crt'), 'utf8');
  return {
    cert,
    key: readFileSync(path('key'), 'utf8'),
    keystoreFile: path('p12'),
    passwordFile: path('password'),
    fingerprint: new X509Certificate(cert).fingerprint256,
  };
}

function openssl(words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' });
}
