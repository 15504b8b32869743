import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { TestClients, failureOf } from './test-clients.js';
import { HAS_ETCD, TestEtcd } from './test-etcd.js';

const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;
if (!HAS_OPENSSL)
  process.stderr.write('SKIPPED: openssl is not installed (Debian: apt-get install openssl)\n');

/** An authority, and a certificate of it for a server and for a client. */
class TestAuthority {
  readonly folder = mkdtempSync(join(tmpdir(), 'tetrad-etcd-tls-'));

  constructor() {
    writeFileSync(join(this.folder, 'names'), 'subjectAltName=IP:127.0.0.1\n');
    this.openssl('req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem');
    for (const name of ['server', 'client']) this.sign(name);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  private sign(name: string): void {
    this.openssl(`req -newkey rsa:2048 -nodes -subj /CN=${name} -keyout ${name}.key -out ${name}.csr`);
    const signer = '-CA ca.pem -CAkey ca.key -CAcreateserial';
    this.openssl(`x509 -req -in ${name}.csr ${signer} -days 2 -extfile names -out ${name}.pem`);
  }

  private openssl(line: string): void {
    const { status, stderr } = spawnSync('openssl', line.split(' '), { cwd: this.folder });
    if (status !== 0) throw new Error(`openssl ${line}: ${stderr}`);
  }
}

(HAS_ETCD && HAS_OPENSSL ? describe : describe.skip)('an etcd that asks for certificates', () => {
  const clients = new TestClients();
  let authority: TestAuthority;
  let etcd: TestEtcd;
  const key = { key: 'a', maxBytes: 10_000 };

  beforeAll(async () => {
    authority = new TestAuthority();
    const file = (name: string) => join(authority.folder, name);
    const args = ['--client-cert-auth', `--trusted-ca-file=${file('ca.pem')}`];
    args.push(`--cert-file=${file('server.pem')}`, `--key-file=${file('server.key')}`);
    etcd = await TestEtcd.start({ scheme: 'https', args });
  });
  afterAll(async () => {
    await clients.close();
    await etcd.close();
    await rm(authority.folder, { recursive: true });
  });

  const whole = () => ({
    ca: authority.read('ca.pem'),
    certificate: authority.read('client.pem'),
    key: authority.read('client.key'),
  });

  it('serves a client with a certificate', async () => {
    const client = clients.open(etcd.endpoints, { tls: whole() });
    await until(async () => (await client.status())[0]?.isHealthy === true);
    expect((await client.range(key)).entries).toEqual([]);
  });

  it('is not trusted without its authority, and not reached without a certificate', async () => {
    const member = clients.open(etcd.endpoints, { tls: whole() });
    await until(async () => (await member.status())[0]?.isHealthy === true);
    const { ca, ...own } = whole();
    const doubting = await failureOf(clients.open(etcd.endpoints, { tls: own }).range(key));
    expect(doubting).toMatchObject({ kind: 'unavailable', mayBeExecuted: false });
    expect(doubting.message).toMatch(/certificate/);
    const anonymous = await failureOf(clients.open(etcd.endpoints, { tls: { ca } }).range(key));
    expect(anonymous.kind).toBe('unavailable');
  });

  it('is not called with invalid settings', () => {
    const { certificate, ...rest } = whole();
    expect(() => clients.open(etcd.endpoints, { tls: rest })).toThrow(
      'needs its key, and a key its certificate',
    );
    const broken = { ...whole(), key: 'no key' };
    expect(() => clients.open(etcd.endpoints, { tls: broken })).toThrow(
      /TLS settings for etcd cannot be used/,
    );
    expect(certificate).toContain('BEGIN CERTIFICATE');
  });
});
