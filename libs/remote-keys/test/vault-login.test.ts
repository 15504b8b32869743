import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerVault, startVaultServer, until, type VaultServer } from '@tetrad/testkit';
import { VaultError } from '../src/vault/vault-error.js';
import type { VaultRoleLogin } from '../src/vault/vault-login.js';
import { VaultSessions, type VaultRequest } from '../src/vault/vault-sessions.js';
import { HandClock } from './hand-clock.js';

const SECRET_ID = 'secret-id-of-tests';
const JWT = 'jwt-of-tests';

let vault: VaultServer;
let folder: string;
let clock: HandClock;
let sessions: VaultSessions;
let logins: Readonly<Record<VaultRoleLogin['method'], VaultRoleLogin>>;
beforeEach(async () => {
  vault = await startVaultServer();
  vault.secrets.set('one', { value: 'text' });
  vault.logins.set('approle', (body) => body['role_id'] === 'desk' && body['secret_id'] === SECRET_ID);
  for (const mount of ['kubernetes', 'issuers/own'])
    vault.logins.set(mount, (body) => body['role'] === 'signer' && body['jwt'] === JWT);
  folder = await mkdtemp(join(tmpdir(), 'tetrad-vault-'));
  const secretIdFile = await write('secret-id', `${SECRET_ID}\n`);
  const jwtFile = await write('jwt', JWT);
  logins = {
    approle: { method: 'approle', mount: 'approle', roleId: 'desk', secretId: { file: secretIdFile } },
    kubernetes: { method: 'kubernetes', mount: 'kubernetes', role: 'signer', jwtFile },
    jwt: { method: 'jwt', mount: 'issuers/own', role: 'signer', jwtFile },
  };
  clock = new HandClock();
  sessions = new VaultSessions(clock);
});
afterEach(async () => {
  sessions.close();
  await vault.stop();
  await rm(folder, { recursive: true, force: true });
});

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const request = (login: VaultRoleLogin, changes: Partial<VaultRequest> = {}): VaultRequest => ({
  host: '127.0.0.1',
  port: vault.port,
  path: '/v1/secret/data/one',
  timeoutMs: 60_000,
  trust: undefined,
  login,
  ...changes,
});

const posted = () => vault.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);

async function failure(login: VaultRoleLogin): Promise<VaultError> {
  const error: unknown = await sessions.read(request(login)).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(VaultError);
  const { message, stack } = error as VaultError;
  expect(`${message} ${stack}`).not.toMatch(/secret-id-of-tests|jwt-of-tests|hvs\./);
  return error as VaultError;
}

describe('a login to a vault', () => {
  it.each(['approle', 'kubernetes', 'jwt'] as const)(
    'by %s gives one token for all secrets',
    async (method) => {
      const login = logins[method];
      const read = () => sessions.read(request(login));
      expect(await Promise.all([read(), read()])).toEqual([{ value: 'text' }, { value: 'text' }]);
      expect(await read()).toEqual({ value: 'text' });
      expect(posted()).toEqual([`/v1/auth/${login.mount}/login`]);
    },
  );

  it('is made in the namespace of the secret', async () => {
    const namespace = 'team/a';
    await sessions.read(request(logins.approle, { namespace })).catch(() => undefined);
    for (const { headers } of vault.requests) expect(headers['x-vault-namespace']).toBe(namespace);
    expect(vault.requests.length).toBeGreaterThan(0);
  });

  it('is made again once when its token is not accepted any more', async () => {
    await sessions.read(request(logins.approle));
    vault.issued.clear();
    expect(await sessions.read(request(logins.approle))).toEqual({ value: 'text' });
    expect(posted()).toHaveLength(2);
    vault.fault = (asked, response) =>
      asked.method === 'GET'
        ? answerVault(response, 403, {})
        : answerVault(response, 200, {
            auth: { client_token: 'hvs.none', lease_duration: 60, renewable: false },
          });
    expect((await failure(logins.approle)).message).toContain('answered 403');
    expect(posted()).toHaveLength(3);
  });

  it('is made once: its token is renewed while the process runs', async () => {
    vault.leaseSeconds = 100;
    await sessions.read(request(logins.approle));
    // A secret id that may be used once.
    vault.logins.clear();
    for (let renewals = 1; renewals <= 3; renewals += 1) {
      clock.advance(50_000);
      await until(async () => posted().length === 1 + renewals);
      expect(posted().at(-1)).toBe('/v1/auth/token/renew-self');
      // The answer is taken after it is sent.
      await until(async () => clock.isWaitedFor);
    }
    expect(await sessions.read(request(logins.approle))).toEqual({ value: 'text' });
  });

  it('renews again after a vault that was away, and logs in when the token has expired', async () => {
    vault.leaseSeconds = 100;
    await sessions.read(request(logins.kubernetes));
    vault.fault = (_request, response) => answerVault(response, 503, {});
    clock.advance(50_000);
    await until(async () => posted().length === 2);
    vault.fault = undefined;
    await until(async () => clock.isWaitedFor);
    clock.advance(1_000);
    await until(async () => posted().length === 3 && clock.isWaitedFor);
    sessions.close();
    clock.advance(200_000);
    expect(await sessions.read(request(logins.kubernetes))).toEqual({ value: 'text' });
    expect(posted().at(-1)).toBe('/v1/auth/kubernetes/login');
  });

  it.each<[string, string, boolean, () => Promise<unknown> | void]>([
    ['is not accepted', 'the login by approle is not accepted', false, () => vault.logins.clear()],
    [
      'has a file that is gone',
      'secret-id: cannot be read (ENOENT)',
      true,
      () => rm(join(folder, 'secret-id')),
    ],
    ['has an empty file', 'secret-id: is empty', true, () => write('secret-id', '\n')],
    [
      'meets a sealed vault',
      'answered 503 (sealed',
      true,
      () => void (vault.fault = (_request, response) => answerVault(response, 503, {})),
    ],
    [
      'gets an answer without a token',
      'has no token',
      false,
      () => void (vault.fault = (_request, response) => answerVault(response, 200, { auth: null })),
    ],
  ])('that %s says so, and nothing secret', async (_what, text, isTransient, change) => {
    await change();
    const error = await failure(logins.approle);
    expect(error.message).toContain(text);
    expect(error.isTransient).toBe(isTransient);
  });
});
