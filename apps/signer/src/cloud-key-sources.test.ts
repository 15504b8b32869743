import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import { awsKmsKeys, azureKeys } from './cloud-key-sources.js';
import { cloudKeyOptions as options } from './options/cloud-key-options.js';

const folder = mkdtempSync(join(tmpdir(), 'tetrad-cloud-keys-'));
const secretFile = join(folder, 'secret');
writeFileSync(secretFile, 's3cret \n', { mode: 0o600 });
afterAll(() => rmSync(folder, { recursive: true }));

const configOf = (line: string) =>
  loadConfig({
    service: 'signer',
    options,
    environment: {},
    commandLine: parseCommandLine(line.replace('SECRET', secretFile).split(' '), options),
  });
const aws = (line: string) => awsKmsKeys(configOf(`--aws-kms-enabled ${line}`.trim()));
const azure = (line: string) => azureKeys(configOf(`--azure-vault-enabled ${line}`.trim()));
const ACCESS_KEY = '--aws-kms-access-key-id AKIA0 --aws-kms-secret-access-key-file SECRET';
const CLIENT = '--azure-vault-name Bank --azure-client-id c --azure-tenant-id t';

describe('options for all keys of AWS KMS', () => {
  it('give an access key, or leave credentials to the SDK', () => {
    const credentials = { accessKeyId: 'AKIA0', secretAccessKey: 's3cret' };
    expect(aws(`--aws-kms-region eu ${ACCESS_KEY}`)).toMatchObject([{ region: 'eu', credentials }]);
    expect(aws('')).toMatchObject([{ region: undefined, credentials: undefined }]);
    expect(aws(`--aws-kms-auth-mode ENVIRONMENT ${ACCESS_KEY}`)).toMatchObject([{ credentials: undefined }]);
  });

  it('take tags and a URL', () => {
    const line = '--aws-kms-tag-names-filter a,b --aws-kms-tag-values-filter c --aws-endpoint-override';
    expect(aws(`${line} http://127.0.0.1:4566/`)).toMatchObject([
      { endpoint: 'http://127.0.0.1:4566', filter: { names: ['a', 'b'], values: ['c'] } },
    ]);
  });

  it.each([
    [ACCESS_KEY, '--aws-kms-region with an access key'],
    ['--aws-kms-auth-mode SPECIFIED', '--aws-kms-access-key-id with --aws-kms-auth-mode SPECIFIED'],
    ['--aws-kms-access-key-id AKIA0', '--aws-kms-secret-access-key-file with --aws-kms-access-key-id'],
  ])('%s lack one', (line, problem) => {
    expect(() => aws(line)).toThrow(`Missing required option(s): ${problem}`);
  });

  it('name no source when they are not turned on', () => {
    expect(awsKmsKeys(configOf('--aws-kms-region eu'))).toEqual([]);
    expect(azureKeys(configOf('--azure-vault-name bank'))).toEqual([]);
  });
});

describe('options for all keys of an Azure vault', () => {
  it.each([
    [
      `${CLIENT} --azure-client-secret-file SECRET`,
      { mode: 'client-secret', clientId: 'c', tenantId: 't', clientSecret: 's3cret' },
    ],
    [
      `${CLIENT} --azure-vault-auth-mode WORKLOAD_IDENTITY --azure-federated-token-file SECRET`,
      { mode: 'workload-identity', clientId: 'c', tenantId: 't', tokenFile: secretFile },
    ],
    [
      `${CLIENT} --azure-vault-auth-mode USER_ASSIGNED_MANAGED_IDENTITY`,
      { mode: 'managed-identity', clientId: 'c' },
    ],
    [`${CLIENT} --azure-vault-auth-mode SYSTEM_ASSIGNED_MANAGED_IDENTITY`, { mode: 'managed-identity' }],
  ])('%s', (line, credentials) => {
    expect(azure(line)).toEqual([
      {
        kind: 'azure-keys',
        vaultUrl: 'https://bank.vault.azure.net',
        authorityUrl: undefined,
        credentials,
        timeoutMs: 60_000,
        tags: {},
      },
    ]);
  });

  it('take tags, whose values may have an equals sign', () => {
    const line = '--azure-vault-auth-mode SYSTEM_ASSIGNED_MANAGED_IDENTITY --azure-vault-name bank';
    expect(azure(`${line} --azure-tags a=b=c --azure-tags d=`)).toMatchObject([
      { tags: { a: 'b=c', d: '' } },
    ]);
    expect(() => azure(`${line} --azure-tags nothing`)).toThrow('--azure-tags: nothing is not NAME=VALUE');
  });

  it.each([
    ['', '--azure-vault-name with --azure-vault-enabled'],
    ['--azure-vault-name bank', '--azure-client-id with --azure-vault-auth-mode CLIENT_SECRET'],
    [
      '--azure-vault-name bank --azure-client-id c',
      '--azure-tenant-id with --azure-vault-auth-mode CLIENT_SECRET',
    ],
    [CLIENT, '--azure-client-secret-file with --azure-vault-auth-mode CLIENT_SECRET'],
  ])('%j lack one', (line, problem) => {
    expect(() => azure(line)).toThrow(`Missing required option(s): ${problem}`);
  });

  it('refuse a name that is not a vault’s', () => {
    expect(() => azure('--azure-vault-name evil.example/x')).toThrow('--azure-vault-name: must be the name');
  });
});
