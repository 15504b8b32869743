import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether certificates can be made here; `openssl` makes them. */
export const HAS_OPENSSL = hasOpenssl();

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('Tests of TLS to the database are skipped: openssl is not installed on this host\n');
    return false;
  }
}

/** Files of a certificate and its key, as PEM. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate authority in a folder. */
export class TestAuthority {
  readonly cert: string;

  constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {
    this.cert = this.path('crt');
    openssl([
      'req',
      '-x509',
      ...KEY,
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      this.path('key'),
      '-out',
      this.cert,
    ]);
  }

  /**
   * @param options.hosts - `DNS:localhost,IP:127.0.0.1`
   * @param options.days - negative for a certificate that has expired
   */
  issue(commonName: string, { hosts = 'DNS:localhost', days = 30 } = {}): CertificateFiles {
    const path = (extension: string) => join(this.folder, `${this.name}-${commonName}.${extension}`);
    openssl(['req', ...KEY, '-subj', `/CN=${commonName}`, '-keyout', path('key'), '-out', path('csr')]);
    writeFileSync(path('ext'), `subjectAltName=${hosts}\n`);
    openssl([
      'x509',
      '-req',
      '-in',
      path('csr'),
      '-CA',
      this.cert,
      '-CAkey',
      this.path('key'),
      '-CAcreateserial',
      '-days',
      String(days),
      '-extfile',
      path('ext'),
      '-out',
      path('crt'),
    ]);
    return { cert: path('crt'), key: path('key') };
  }

  private path(extension: string): string {
    return join(this.folder, `${this.name}.${extension}`);
  }
}

function openssl(words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' });
}
