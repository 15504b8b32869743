import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SecretServices, readSecretFile, type SecretFile } from '@tetrad/remote-keys/secrets';
import {
  VAULT_TOKEN,
  answerVault,
  findMoto,
  startAzureVaultServer,
  startMoto,
  startVaultServer,
  type AzureVaultServer,
  type Moto,
  type VaultServer,
} from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';

const python = findMoto();
const SECRET = 'pass-word-of-tests';

let folder: string;
let azure: AzureVaultServer;
let vault: VaultServer;
let moto: Moto | undefined;
let services: SecretServices;
const awsBefore = { ...process.env };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-secrets-'));
  [azure, vault] = await Promise.all([startAzureVaultServer(), startVaultServer()]);
  if (python !== undefined) moto = await startMoto(python);
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIA0';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'aws-secret-not-to-be-shown';
});
beforeEach(() => {
  services = new SecretServices(systemClock);
});
afterEach(() => {
  services.close();
  azure.setFault(undefined);
  vault.fault = undefined;
  vault.secrets.clear();
  azure.secrets.clear();
});
afterAll(async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
    if (awsBefore[name] === undefined) delete process.env[name];
    else process.env[name] = awsBefore[name];
  }
  await Promise.all([azure.stop(), vault.stop(), moto?.stop(), rm(folder, { recursive: true, force: true })]);
});

/** What the environment of a Tessera has. */
const tessera = () => ({
  AZURE_TENANT_ID: 'bank',
  AZURE_CLIENT_ID: 'signer',
  AZURE_CLIENT_SECRET: azure.clientSecret,
  HASHICORP_TOKEN: VAULT_TOKEN,
});

async function fileOf(text: string, variables: Record<string, string> = tessera()): Promise<SecretFile> {
  const path = join(folder, 'secret.toml');
  await writeFile(path, `[secret]\n${text}`);
  return readSecretFile(path, variables);
}

const azureText = (more: string) =>
  `type = "azure-secret"\nvault-url = "${azure.url}/"\nauthority = "${azure.url}"\n${more}\n`;
const vaultText = (more: string) =>
  `type = "vault-secret"\nurl = "http://127.0.0.1:${vault.port}"\n${more}\n`;

async function failure(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = (await work.catch((caught: unknown) => caught)) as Error & { code: string };
  expect(error).toMatchObject({ name: 'RemoteKeyError' });
  expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toMatch(
    /pass-word-of-tests|not-to-be-shown|hvs\./,
  );
  return error;
}

describe('a secret of Azure Key Vault', () => {
  it('is read by the variables of a Tessera, the current version or the one that is named', async () => {
    azure.secrets.set('Key', SECRET).set('Key/0my1', 'older').set('Pub', 'public');
    const file = await fileOf(azureText('name = "Key"\npublic-name = "Pub"'));
    expect(await services.read(file.secret)).toBe(SECRET);
    expect(file.publicKey && (await services.read(file.publicKey))).toBe('public');
    expect(await services.read((await fileOf(azureText('name = "Key"\nversion = "0my1"'))).secret)).toBe(
      'older',
    );
  });

  it('may be a member of an object of JSON', async () => {
    azure.secrets.set('Key', JSON.stringify({ password: SECRET, number: 1 }));
    const { secret } = await fileOf(azureText('name = "Key"\nmember = "password"'));
    expect(await services.read(secret)).toBe(SECRET);
    const other = await fileOf(azureText('name = "Key"\nmember = "number"'));
    expect(await failure(services.read(other.secret))).toMatchObject({
      message: expect.stringContaining('its member number is missing or not text'),
    });
  });

  it.each([
    ['a client secret in a file', 'client-secret'],
    ['the token of a pod', 'workload-identity'],
  ])('is read with %s', async (_what, authentication) => {
    azure.secrets.set('Key', SECRET);
    await writeFile(join(folder, 'given'), `${azure.clientSecret}\n`);
    const { secret } = await fileOf(
      azureText(
        `name = "Key"\nauthentication = "${authentication}"\nclient-id = "signer"\ntenant-id = "bank"\n` +
          'client-secret-file = "given"\ntoken-file = "given"',
      ),
      {},
    );
    expect(await services.read(secret)).toBe(SECRET);
  });

  it('is made once, and never replaced', async () => {
    const { secret } = await fileOf(azureText('name = "New"'));
    await services.create([{ location: secret, text: SECRET }]);
    expect(azure.secrets.get('New')).toBe(SECRET);
    const again = await failure(services.create([{ location: secret, text: 'other' }]));
    expect(again.message).toMatch(/secret New: is there already/);
    expect(azure.secrets.get('New')).toBe(SECRET);
  });

  it('that is denied names the permission', async () => {
    azure.setFault((line) => (line.includes('/secrets/') ? { status: 403 } : undefined));
    const { secret } = await fileOf(azureText('name = "Key"'));
    expect(await failure(services.read(secret))).toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('secrets/get is needed'),
    });
  });
});

describe('a secret of HashiCorp Vault', () => {
  it('is read with the token, or by the AppRole, of a Tessera', async () => {
    vault.secrets.set('desk/tm', { privateKey: SECRET, publicKey: 'public' });
    vault.secrets.set('desk/tm?version=3', { privateKey: 'third' });
    vault.logins.set(
      'own',
      ({ role_id: role, secret_id: id }) => role === 'desk' && id === 'id-not-to-be-shown',
    );
    const text = vaultText('name = "desk/tm"\nmember = "privateKey"\npublic-member = "publicKey"');
    const file = await fileOf(text);
    expect(await services.read(file.secret)).toBe(SECRET);
    expect(file.publicKey && (await services.read(file.publicKey))).toBe('public');
    const variables = { HASHICORP_ROLE_ID: 'desk', HASHICORP_SECRET_ID: 'id-not-to-be-shown' };
    const byRole = await fileOf(`${text}auth-mount = "own"\nversion = 3\n`, variables);
    expect(await services.read(byRole.secret)).toBe('third');
  });

  it('is read with a token in a file', async () => {
    vault.secrets.set('tm', { value: SECRET });
    await writeFile(join(folder, 'token'), `${VAULT_TOKEN}\n`);
    const { secret } = await fileOf(
      vaultText('name = "tm"\nauth-method = "token"\ntoken-file = "token"'),
      {},
    );
    expect(await services.read(secret)).toBe(SECRET);
  });

  it('is made with all of its members, and never replaced', async () => {
    const { secret, publicKey } = await fileOf(
      vaultText('name = "new"\nmember = "privateKey"\npublic-member = "publicKey"'),
    );
    const members = [
      { location: secret, text: SECRET },
      ...(publicKey === undefined ? [] : [{ location: publicKey, text: 'public' }]),
    ];
    await services.create(members);
    expect(vault.secrets.get('new')).toEqual({ privateKey: SECRET, publicKey: 'public' });
    expect((await failure(services.create(members))).message).toMatch(/new: is there already/);
  });

  it('that hangs is given up in time', async () => {
    vault.fault = () => undefined;
    const { secret } = await fileOf(vaultText('name = "tm"\ntimeout = 50'));
    expect((await failure(services.read(secret))).message).toMatch(/no answer (in|within) 50 ms/);
  });

  it('that is sealed says so', async () => {
    vault.fault = (_request, response) => answerVault(response, 503, { errors: [SECRET] });
    const { secret } = await fileOf(vaultText('name = "tm"'));
    expect((await failure(services.read(secret))).message).toMatch(/answered 503/);
  });
});

(python === undefined ? describe.skip : describe)('a secret of AWS Secrets Manager', () => {
  const awsText = (id: string, more = '') =>
    `type = "aws-secret"\nregion = "eu-west-1"\nendpoint = "${moto?.url}"\nsecret-id = "${id}"\n${more}`;

  it('is made once, and read', async () => {
    const { secret } = await fileOf(awsText('tm/idKey'));
    await services.create([{ location: secret, text: SECRET }]);
    expect(await services.read(secret)).toBe(SECRET);
    expect((await failure(services.create([{ location: secret, text: 'other' }]))).message).toMatch(
      /secret tm\/idKey: is there already/,
    );
    expect(await services.read(secret)).toBe(SECRET);
  });

  it('that is not there is named', async () => {
    const { secret } = await fileOf(awsText('tm/absent'));
    expect(await failure(services.read(secret))).toMatchObject({
      code: 'MISSING',
      message: expect.stringContaining('secret tm/absent: ResourceNotFoundException'),
    });
  });
});

describe('a file that names a secret', () => {
  it.each([
    [
      'of an unknown service',
      'type = "gcp"\n',
      /secret\.type: must be one of aws-secret, azure-secret, vault-secret \(line 2\)/,
    ],
    ['without a name', 'type = "aws-secret"\n', /secret\.secret-id: is required \(line 1\)/],
    [
      'without a variable',
      'type = "vault-secret"\nurl = "http://h"\nname = "a"\n',
      /variable HASHICORP_ROLE_ID is not set/,
    ],
    [
      'without its token file',
      'type = "vault-secret"\nurl = "http://h"\nname = "a"\nauth-method = "token"\n',
      /secret\.token-file: is required with auth-method token/,
    ],
    [
      'with half of a certificate',
      'type = "vault-secret"\nurl = "https://h"\nname = "a"\nclient-key-file = "k"\nauth-method = "jwt"\nrole = "a"\njwt-file = "a"\n',
      /secret\.client-cert-file: is required with client-key-file/,
    ],
  ])('%s is refused', async (_what, text, problem) => {
    expect(await failure(fileOf(text, {}))).toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(problem),
    });
  });

  it('is refused when it is not there', async () => {
    const path = join(folder, 'absent.toml');
    expect((await failure(readSecretFile(path, {}))).message).toBe(`${path}: cannot be read (ENOENT)`);
  });
});
