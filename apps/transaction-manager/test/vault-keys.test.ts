import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
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
import { encryptKeyFile, generateKeyPair } from '@tetrad/transaction-manager';
import { convertConfigFile } from '../src/convert-config-command.js';
import { newKeys } from '../src/key-command.js';
import { loadKeys } from '../src/load-keys.js';

const python = findMoto();
const CHEAP = { memory: 64, iterations: 1, parallelism: 4 };
const [local, azurePair, vaultPair] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const SECRETS = [local, azurePair, vaultPair].map(({ privateKey }) => base64(privateKey));
const NAMES = [
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_AUTHORITY_HOST',
  'HASHICORP_ROLE_ID',
  'HASHICORP_SECRET_ID',
  'HASHICORP_TOKEN',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
] as const;

let folder: string;
let azure: AzureVaultServer;
let vault: VaultServer;
let moto: Moto | undefined;
const before = { ...process.env };
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-vault-keys-'));
  [azure, vault] = await Promise.all([startAzureVaultServer(), startVaultServer()]);
  if (python !== undefined) moto = await startMoto(python);
  await writeFile(join(folder, 'tm.key'), await encryptKeyFile(local.privateKey, 'of a test', CHEAP));
  await writeFile(join(folder, 'passwords'), 'of a test\n\n\n');
  // The environment of a Tessera.
  Object.assign(process.env, {
    AZURE_TENANT_ID: 'bank',
    AZURE_CLIENT_ID: 'signer',
    AZURE_CLIENT_SECRET: azure.clientSecret,
    AZURE_AUTHORITY_HOST: azure.url,
    HASHICORP_ROLE_ID: 'manager',
    HASHICORP_SECRET_ID: 'secret-id-of-tests',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIA0',
    AWS_SECRET_ACCESS_KEY: 'aws-secret-of-tests',
  });
  vault.logins.set(
    'own',
    ({ role_id: role, secret_id: id }) => role === 'manager' && id === 'secret-id-of-tests',
  );
});
afterEach(() => {
  azure.setFault(undefined);
  vault.fault = undefined;
});
afterAll(async () => {
  for (const name of NAMES) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  await Promise.all([azure.stop(), vault.stop(), moto?.stop(), rm(folder, { recursive: true, force: true })]);
});

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** A Tessera with a key file, a key in Azure and one in HashiCorp Vault. */
const tessera = () => {
  azure.secrets.set('Key/0my1', base64(azurePair.privateKey)).set('Pub', azurePair.publicKey);
  vault.secrets.set('desk/tm', {
    privateKey: base64(vaultPair.privateKey),
    publicKey: vaultPair.publicKey,
  });
  return {
    unixSocketFile: '/tmp/tm.ipc',
    server: { hostName: 'http://localhost', port: 9001 },
    keys: {
      passwordFile: 'passwords',
      keyVaultConfigs: [
        { keyVaultType: 'AZURE', properties: { url: azure.url } },
        {
          keyVaultType: 'HASHICORP',
          properties: { url: `http://127.0.0.1:${vault.port}`, approlePath: 'own' },
        },
      ],
      keyData: [
        { privateKeyPath: 'tm.key' },
        {
          azureVaultPrivateKeyId: 'Key',
          azureVaultPrivateKeyVersion: '0my1',
          azureVaultPublicKeyId: 'Pub',
        },
        {
          hashicorpVaultSecretEngineName: 'secret',
          hashicorpVaultSecretName: 'desk/tm',
          hashicorpVaultPrivateKeyId: 'privateKey',
          hashicorpVaultPublicKeyId: 'publicKey',
        },
      ],
    },
  };
};

async function convert(config: object) {
  const from = join(folder, 'config.json');
  await writeFile(from, JSON.stringify(config));
  const out = join(folder, `out-${(made += 1)}`);
  const table = await convertConfigFile({ from, out, workingDir: undefined, dryRun: false });
  const settings = await readFile(join(out, 'manager.toml'), 'utf8');
  const names = JSON.parse(/^key-files = (\[.*\])$/m.exec(settings)?.[1] ?? '[]') as string[];
  return { out, table, names };
}

/** Loads the keys as `serve` does in that folder. */
function load(out: string, names: readonly string[], passwords?: string) {
  return loadKeys({
    keyFiles: names.map((name) => join(out, name)),
    keyPasswordFile: passwords === undefined ? undefined : { reveal: () => passwords },
  } as never);
}

async function failure(work: Promise<unknown>): Promise<string> {
  const error = (await work.catch((caught: unknown) => caught)) as Error;
  const said = `${error.message} ${error.stack} ${String(error.cause)}`;
  for (const secret of [...SECRETS, azure.clientSecret, 'secret-id-of-tests', 'hvs.', 'aws-secret'])
    expect(said).not.toContain(secret);
  return error.message;
}

describe('a Tessera whose keys are in vaults', () => {
  it('is converted: each key is compared with its public key, and none is in a file', async () => {
    const { out, table, names } = await convert(tessera());
    expect(names.map((name) => name.replace(/.*\//, ''))).toEqual(['tm.key', 'key1.toml', 'key2.toml']);
    expect(await readFile(join(out, 'key1.toml'), 'utf8')).toBe(
      `[secret]\ntype = "azure-secret"\nvault-url = "${azure.url}"\nname = "Key"\nversion = "0my1"\n` +
        'public-name = "Pub"\nauthentication = "environment"\n',
    );
    expect(table).toMatch(/^keys\.keyVaultConfigs +taken +in the files of its keys/m);
    for (const secret of SECRETS.slice(1)) expect(table).not.toContain(secret);
    const keyFiles = [join(folder, 'tm.key'), join(out, 'key1.toml'), join(out, 'key2.toml')];
    const pairs = await loadKeys({
      keyFiles,
      keyPasswordFile: { reveal: () => 'of a test\n\n' },
    } as never);
    expect(pairs.map(({ publicKey }) => publicKey)).toEqual(
      [local, azurePair, vaultPair].map(({ publicKey }) => publicKey),
    );
  });

  it('is refused when a public key in its vault is that of another private key', async () => {
    const config = tessera();
    azure.secrets.set('Pub', local.publicKey);
    expect(await failure(convert(config))).toMatch(/^keys\.keyData\.1: the public key is /);
  });

  it('is refused, by the key and the permission that lacks, when its vault denies it', async () => {
    azure.setFault((line) => (line.includes('/secrets/') ? { status: 403 } : undefined));
    expect(await failure(convert(tessera()))).toMatch(/secret Key: HTTP 403; secrets\/get is needed/);
  });

  it('is converted without its certificate, which has to be exported first', async () => {
    const { keys, ...rest } = tessera();
    const [azureVault, hashicorp] = keys.keyVaultConfigs;
    const properties = {
      url: 'https://vault.example:8200',
      tlsKeyStorePath: 'own.jks',
      tlsTrustStorePath: 'trust.jks',
    };
    const keyVaultConfigs = [azureVault, { ...hashicorp, properties }];
    const { out, table } = await convert({ ...rest, keys: { ...keys, keyVaultConfigs } });
    const file = await readFile(join(out, 'key2.toml'), 'utf8');
    expect(file).toContain(`trust-store = "${join(folder, 'trust.jks')}"\ntrust-store-type = "JKS"\n`);
    expect(file).toContain('client-cert-file = "vault-client-cert.pem"\n');
    expect(table).toMatch(/export the certificate of tlsKeyStorePath as vault-client-cert\.pem/);
  });
});

describe('a manager whose key is in a vault', () => {
  it('does not start with another key than its public key says, or while the vault is sealed', async () => {
    vault.secrets.set('odd', { privateKey: base64(vaultPair.privateKey), publicKey: local.publicKey });
    const out = join(folder, 'odd');
    await mkdir(out);
    await writeFile(
      join(out, 'odd.toml'),
      `[secret]\ntype = "vault-secret"\nurl = "http://127.0.0.1:${vault.port}"\nname = "odd"\nmember = "privateKey"\n` +
        'public-member = "publicKey"\nauth-mount = "own"\n',
    );
    expect(await failure(load(out, ['odd.toml']))).toMatch(/odd\.toml: the public key in its vault is /);
    vault.fault = (_request, response) => answerVault(response, 503, { errors: [SECRETS] });
    expect(await failure(load(out, ['odd.toml']))).toMatch(/answered 503/);
  });

  it('is made in HashiCorp Vault as a Tessera makes it, and replaces no other', async () => {
    process.env['HASHICORP_TOKEN'] = VAULT_TOKEN;
    const file = join(folder, 'new.toml');
    await writeFile(
      file,
      `[secret]\ntype = "vault-secret"\nurl = "http://127.0.0.1:${vault.port}"\nname = "made"\nmember = "privateKey"\n` +
        'public-member = "publicKey"\nauth-mount = "own"\n',
    );
    const said = await newKeys({ vaultFile: file } as never);
    const [pair] = await load(folder, ['new.toml']);
    expect(vault.secrets.get('made')).toEqual({
      privateKey: base64(pair?.privateKey as Uint8Array),
      publicKey: pair?.publicKey,
    });
    expect(said).toBe(`public key   ${pair?.publicKey}\nkey file     ${file}`);
    expect(await failure(newKeys({ vaultFile: file } as never))).toMatch(/made: is there already/);
  });

  (python === undefined ? it.skip : it)('is made in AWS Secrets Manager, and read from there', async () => {
    const file = join(folder, 'aws.toml');
    await writeFile(
      file,
      `[secret]\ntype = "aws-secret"\nendpoint = "${moto?.url}"\nsecret-id = "idKey"\npublic-secret-id = "idPub"\n`,
    );
    await newKeys({ vaultFile: file } as never);
    const [pair] = await load(folder, ['aws.toml']);
    const client = new SecretsManagerClient({ endpoint: moto?.url ?? '' });
    const stored = await client.send(new GetSecretValueCommand({ SecretId: 'idPub' }));
    client.destroy();
    expect(stored.SecretString).toBe(pair?.publicKey);
    expect(await failure(newKeys({ vaultFile: file } as never))).toMatch(/secret idKey: is there already/);
  });
});
