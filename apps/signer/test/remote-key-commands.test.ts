import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import {
  findSoftHsm,
  startAzureVaultServer,
  startGcpKmsServer,
  startSoftHsm,
  type SoftHsm,
} from '@tetrad/testkit';
import { keyOptions as newKeyOptions, newKey } from '../src/key-command.js';
import { checkKeys } from '../src/keys-doctor.js';
import { keyOptions } from '../src/options/key-options.js';

const library = findSoftHsm();
const withHsm = library === undefined ? describe.skip : describe;

let hsm: SoftHsm;
let folder: string;

beforeAll(async () => {
  if (library !== undefined) hsm = startSoftHsm(library);
  folder = await mkdtemp(join(tmpdir(), 'tetrad-commands-'));
});
afterEach(() => hsm?.setFault(undefined));
afterAll(async () => {
  hsm?.stop();
  await rm(folder, { recursive: true });
});

const newKeyConfig = (...argv: readonly string[]) =>
  loadConfig({
    service: 'signer',
    options: newKeyOptions,
    environment: {},
    commandLine: parseCommandLine(argv, newKeyOptions),
  });
const doctorConfig = (...argv: readonly string[]) =>
  loadConfig({
    service: 'signer',
    options: keyOptions,
    environment: {},
    commandLine: parseCommandLine(argv, keyOptions),
  });
const tokenFlags = (path = hsm.library) => [
  '--pkcs11-library',
  path,
  '--pkcs11-token-label',
  hsm.tokenLabel,
  '--pkcs11-pin-file',
  hsm.pinFile,
  '--pkcs11-key-label',
  'till',
];

describe('signer key new --source', () => {
  it.each([
    [['--source', 'pkcs11'], '--source pkcs11 needs --pkcs11-library'],
    [['--source', 'azure'], '--azure-key-name with --source azure'],
    [['--source', 'gcp-kms', '--gcp-key-ring', 'desks'], '--gcp-key-ring: must be projects'],
    [['--source', 'file'], 'Missing required option(s): --directory'],
  ])('names what is missing with %j', async (argv, text) => {
    await expect(newKey(newKeyConfig(...argv))).rejects.toThrow(text);
  });
});

/** Signs with the key that the printed file names. */
async function trySigner(text: string, more = ''): Promise<string> {
  const own = await mkdtemp(join(folder, 'signer-'));
  const [, name = ''] = /^signer file {4}(\S+):$/m.exec(text) ?? [];
  await writeFile(join(own, name), `${text.slice(text.indexOf('[signing]'))}\n${more}`);
  const { text: said } = await checkKeys(doctorConfig('--multikey-signer-directory', own));
  return said;
}

describe('a key that signer key new makes in a cloud', () => {
  it('is one of Azure Key Vault, and never a version of another', async () => {
    const vault = await startAzureVaultServer();
    const secretFile = join(folder, 'azure-secret');
    await writeFile(secretFile, vault.clientSecret, { mode: 0o600 });
    const flags = ['--azure-key-name', 'till', '--azure-client-id', 'signer', '--azure-tenant-id', 'bank'];
    const urls = ['--azure-endpoint-override', vault.url, '--azure-authority-override', vault.url];
    const words = ['--source', 'azure', ...flags, ...urls, '--azure-client-secret-file', secretFile];
    try {
      const text = await newKey(newKeyConfig(...words));
      expect(text).not.toContain(vault.clientSecret);
      expect(await trySigner(text, `client-secret-file = "${secretFile}"\n`)).toMatch(/signs$/);
      await expect(newKey(newKeyConfig(...words))).rejects.toThrow(/key till: is there already$/);
    } finally {
      await vault.stop();
    }
  });

  it('is one of Google Cloud KMS, once it was made', async () => {
    const kms = await startGcpKmsServer();
    const file = join(folder, 'account.json');
    await writeFile(file, kms.accountFile, { mode: 0o600 });
    const ring = 'projects/bank/locations/europe-west3/keyRings/desks';
    const flags = ['--gcp-key-ring', ring, '--gcp-key-name', 'till', '--gcp-credentials-file', file];
    const words = ['--source', 'gcp-kms', ...flags, '--gcp-endpoint-override', kms.url];
    try {
      expect(await trySigner(await newKey(newKeyConfig(...words)))).toMatch(/signs$/);
      await expect(newKey(newKeyConfig(...words))).rejects.toThrow(/HTTP 409 ALREADY_EXISTS$/);
    } finally {
      await kms.stop();
    }
  });
});

withHsm('a key that signer key new makes in an HSM', () => {
  it('is one that the signer file which it prints loads, and the doctor tries', async () => {
    const text = await newKey(newKeyConfig('--source', 'pkcs11', ...tokenFlags()));
    const [, name = ''] = /^signer file {4}(\S+):$/m.exec(text) ?? [];
    await writeFile(join(folder, name), text.slice(text.indexOf('[signing]')));
    const { text: said, isWell } = await checkKeys(doctorConfig('--multikey-signer-directory', folder));
    expect(said).toMatch(new RegExp(`^ok +signer-files: 0x${name.replace('.toml', '')} signs$`));
    expect(isWell).toBe(true);
    await expect(newKey(newKeyConfig('--source', 'pkcs11', ...tokenFlags()))).rejects.toThrow(
      /the token has a key with label till already$/,
    );
  });
});

withHsm('signer keys doctor', () => {
  it('says what is wrong with each source, and tries the others', async () => {
    const config = doctorConfig(...tokenFlags('/nowhere.so'), '--multikey-signer-directory', folder);
    const { text, isWell } = await checkKeys(config);
    expect(isWell).toBe(false);
    expect(text).toMatch(/^ok +signer-files: 0x[0-9a-f]{40} signs$/m);
    expect(text).toMatch(/^PROBLEM +pkcs11-key: .*\/nowhere.so is not there/m);
  });

  it('says that a PIN is wrong without showing it', async () => {
    hsm.writePin('13579');
    try {
      const { text } = await checkKeys(doctorConfig('--multikey-signer-directory', folder));
      expect(text).toMatch(/^PROBLEM +signer-files: .*the PIN is wrong/m);
      expect(text).not.toContain('13579');
    } finally {
      hsm.writePin(hsm.pin);
    }
  });
});
