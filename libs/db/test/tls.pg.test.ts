import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailableError, connectDatabase, migrateDeploy, prismaFolder } from '../src/index.js';
import { HAS_OPENSSL, TestAuthority } from './test-authority.js';
import { TlsServer } from './tls-server.js';

const folder = mkdtempSync(join(tmpdir(), 'tetrad-authority-'));
let server: TlsServer;
let authority: TestAuthority;
let other: TestAuthority;

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  authority = new TestAuthority(folder, 'authority');
  other = new TestAuthority(folder, 'other');
  server = await TlsServer.start();
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const VERIFY = { sslmode: 'verify-full' };
const trusting = (ca: TestAuthority, more: Readonly<Record<string, string>> = {}) => ({
  sslmode: 'verify-full',
  sslrootcert: ca.cert,
  ...more,
});

/** TLS version of a new connection, and the subject of the client's certificate. */
async function connect(url: string): Promise<{ version: string; subject: string | null }> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    const { rows } = await database.pool.query<{ version: string; subject: string | null }>(
      'SELECT version, client_dn AS subject FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    return rows[0]!;
  } finally {
    await database.close();
  }
}

/** The message, which must not contain the password; of the pool and of the migrations alike. */
async function refusal(url: string): Promise<string> {
  const attempts = [connectDatabase({ url, poolSize: 1 }), migrateDeploy(url, prismaFolder('wallet'))];
  const [pool, migration] = await Promise.all(
    attempts.map((attempt) => attempt.then(String, (error: unknown) => error as Error)),
  );
  expect(pool).toBeInstanceOf(DatabaseUnavailableError);
  expect(String(migration)).toBe(String(pool));
  expect(String(pool)).not.toContain(new URL(url).password);
  return String(pool);
}

(HAS_OPENSSL ? describe : describe.skip)('a database with sslmode=verify-full', () => {
  it('is connected to and migrated when its certificate is of the authority and for the host', async () => {
    await server.serve(authority.issue('right'));
    const url = server.url(trusting(authority));
    expect(await connect(url)).toMatchObject({ version: expect.stringMatching(/^TLSv1\.[23]$/) });
    expect(await migrateDeploy(url, prismaFolder('wallet'))).not.toEqual([]);
  });

  it('is refused when the certificate is of another authority, or of none that Node.js knows', async () => {
    const text = 'the certificate of the server is not signed by an accepted authority; check sslrootcert';
    expect(await refusal(server.url(trusting(other)))).toContain(text);
    expect(await refusal(server.url(VERIFY))).toContain(text);
  });

  it('is refused when the certificate is for another host', async () => {
    expect(await refusal(server.url(trusting(authority), '127.0.0.1'))).toContain(
      'the certificate of the server is not for the host 127.0.0.1',
    );
  });

  it('checks the host of each of several servers', async () => {
    const { port } = new URL(server.url());
    const several = server.url(trusting(authority)).replace('@localhost', `@127.0.0.1:${port},localhost`);
    expect(await connect(several)).toMatchObject({ version: expect.stringContaining('TLS') });
    const wrong = several.replace('localhost', '127.0.0.1');
    const failure = await connectDatabase({ url: wrong }).catch(String);
    expect(failure).toContain(
      `127.0.0.1:${port}: the certificate of the server is not for the host 127.0.0.1`,
    );
  });

  it('accepts any host with verify-ca, and any certificate with no-verify', async () => {
    const parameters = trusting(authority, { sslmode: 'verify-ca' });
    await expect(connect(server.url(parameters, '127.0.0.1'))).resolves.toBeDefined();
    await expect(connect(server.url({ sslmode: 'no-verify' }, '127.0.0.1'))).resolves.toBeDefined();
    const foreign = trusting(other, { sslmode: 'verify-ca' });
    expect(await refusal(server.url(foreign))).toContain('not signed by an accepted authority');
  });

  it('is refused when the certificate has expired', async () => {
    await server.serve(authority.issue('expired', { days: -1 }));
    expect(await refusal(server.url(trusting(authority)))).toContain(
      'the certificate of the server has expired',
    );
  });

  it('is refused when the server does not offer TLS', async () => {
    await server.serve(undefined);
    expect(await refusal(server.url(trusting(authority)))).toContain('the server does not offer TLS');
  });

  it('names a file that cannot be read', async () => {
    const parameters = { sslmode: 'verify-full', sslrootcert: join(folder, 'missing.crt') };
    expect(await refusal(server.url(parameters))).toMatch(
      /sslrootcert of the database URL: cannot read .*missing\.crt: ENOENT/,
    );
  });

  it('presents the client certificate, and names the lack of one', async () => {
    await server.serve(authority.issue('right'));
    await server.demandClients(authority.cert);
    const client = authority.issue('client');
    const files = { sslcert: client.cert, sslkey: client.key };
    expect(await connect(server.url(trusting(authority, files)))).toMatchObject({ subject: '/CN=client' });
    expect(await refusal(server.url(trusting(authority)))).toContain(
      'connection requires a valid client certificate',
    );
    const foreign = other.issue('client');
    expect(
      await refusal(server.url(trusting(authority, { sslcert: foreign.cert, sslkey: foreign.key }))),
    ).toMatch(/unknown ca|certificate/);
  });

  it('reads replaced files for new connections', async () => {
    const root = join(folder, 'rotated.crt');
    copyFileSync(authority.cert, root);
    const client = authority.issue('rotated');
    const parameters = {
      sslmode: 'verify-full',
      sslrootcert: root,
      sslcert: client.cert,
      sslkey: client.key,
    };
    const database = await connectDatabase({ url: server.url(parameters), poolSize: 2 });
    const first = await database.pool.connect();
    copyFileSync(other.cert, root);
    await expect(database.pool.query('SELECT 1')).rejects.toThrow('not signed by an accepted authority');
    await server.serve(other.issue('right'));
    await expect(database.pool.query('SELECT 1')).resolves.toBeDefined();
    first.release();
    await database.close();
  });
});

describe('the parameters of TLS', () => {
  it.each([
    ['sslmode=prefer', 'sslmode=prefer, which falls back to plain text; use verify-full, or disable'],
    ['sslmode=require', 'sslmode=require without sslrootcert, which does not check the server'],
    ['sslmode=full', 'an unknown sslmode; known are disable, no-verify, require, verify-ca, verify-full'],
    ['sslmode=verify-full&sslcert=/x', 'both sslcert and sslkey, or neither'],
    ['sslmode=disable&sslrootcert=/x', 'names TLS files, but sslmode=disable'],
    ['ssl=yes', 'an ssl that is neither true nor false'],
    ['sslnegotiation=x', 'an sslnegotiation that is neither postgres nor direct'],
    ['target_session_attrs=read-only', 'a target_session_attrs that a service cannot use'],
    ['connect_timeout=0', 'a connect_timeout that is not from 1 to 25 seconds'],
    ['statement_timeout=1s', 'a statement_timeout that is not a number of milliseconds'],
  ])('are refused by name: %s', async (parameters, problem) => {
    const failure = await connectDatabase({ url: `postgresql://u:hunter2@a/x?${parameters}` }).catch(String);
    expect(failure).toContain(problem);
    expect(failure).not.toContain('hunter2');
  });
});
