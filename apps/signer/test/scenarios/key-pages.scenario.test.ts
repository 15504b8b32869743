import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  findMoto,
  findSoftHsm,
  startAzureVaultServer,
  startGcpKmsServer,
  startMoto,
  startSoftHsm,
} from '@tetrad/testkit';
import { runSigner } from '../signer-process.js';

const PAGES = join(import.meta.dirname, '../../../../docs/how-to/keys');
const python = findMoto();
const library = findSoftHsm();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-key-pages-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The commands of the signer in the console blocks of a page, each in its words. */
async function commandsOf(page: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(join(PAGES, page), 'utf8');
  const blocks = [...text.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'));
  return lines
    .filter((line) => line.startsWith('$ ./tetrad signer '))
    .map((line) => line.replace('$ ./tetrad signer ', '').split(/\s+/));
}

/** What a reader has of its own in place of what the page shows. */
interface Reader {
  /** Words of the page, and those of the reader. */
  readonly words?: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Follows a page: makes a key, places the file that is printed, and asks the doctor.
 * @returns what the doctor says
 */
async function follow(page: string, { words = {}, variables }: Reader): Promise<string> {
  const [makes = [], asks = [], ...more] = await commandsOf(page);
  expect([makes.slice(0, 2), asks.slice(0, 2), more]).toEqual([['key', 'new'], ['keys', 'doctor'], []]);
  const own = (command: readonly string[]) => command.map((word) => words[word] ?? word);
  // The SDK of AWS warns of an old Node.js on standard error.
  const run = async (command: readonly string[]) => {
    const { code, stdout, stderr } = await runSigner(own(command), variables, folder).ended;
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const made = await run(makes);
  const [, name = ''] = /^signer file {4}(\S+):$/m.exec(made) ?? [];
  await mkdir(join(folder, 'keys'));
  await writeFile(join(folder, 'keys', name), made.slice(made.indexOf('[signing]')));
  return run(asks);
}

const SIGNS = /^ok +signer-files: 0x[0-9a-f]{40} signs$/m;

describe('the page of keys in', () => {
  (library === undefined ? it.skip : it)('an HSM', async () => {
    const hsm = startSoftHsm(library ?? '');
    try {
      await writeFile(join(folder, 'pin'), hsm.pin, { mode: 0o600 });
      const words = { '/usr/lib/softhsm/libsofthsm2.so': hsm.library };
      const variables = { SOFTHSM2_CONF: process.env['SOFTHSM2_CONF'] ?? '' };
      expect(await follow('hsm.md', { words, variables })).toMatch(SIGNS);
    } finally {
      hsm.stop();
    }
  });

  (python === undefined ? it.skip : it)('AWS, with an endpoint of Moto', async () => {
    const moto = await startMoto(python ?? '');
    try {
      const credentials = { AWS_ACCESS_KEY_ID: 'reader', AWS_SECRET_ACCESS_KEY: 'not-to-be-shown' };
      const variables = { AWS_ENDPOINT_URL_KMS: moto.url, ...credentials };
      expect(await follow('aws.md', { variables })).toMatch(SIGNS);
    } finally {
      await moto.stop();
    }
  });

  it('Azure, with a server of this test in place of the vault and of the issuer of tokens', async () => {
    const vault = await startAzureVaultServer();
    try {
      const tokenFile = join(folder, 'federated');
      await writeFile(tokenFile, vault.clientSecret, { mode: 0o600 });
      const variables = {
        TETRAD_SIGNER_AZURE_FEDERATED_TOKEN_FILE: tokenFile,
        TETRAD_SIGNER_AZURE_ENDPOINT_OVERRIDE: vault.url,
        TETRAD_SIGNER_AZURE_AUTHORITY_OVERRIDE: vault.url,
      };
      const words = { '5f…': 'signer', '9c…': 'bank' };
      expect(await follow('azure.md', { words, variables })).toMatch(SIGNS);
    } finally {
      await vault.stop();
    }
  });

  it('Google Cloud, with a server of this test in place of the service', async () => {
    const kms = await startGcpKmsServer();
    try {
      const file = join(folder, 'account.json');
      await writeFile(file, kms.accountFile, { mode: 0o600 });
      const variables = {
        TETRAD_SIGNER_GCP_CREDENTIALS_FILE: file,
        TETRAD_SIGNER_GCP_ENDPOINT_OVERRIDE: kms.url,
      };
      expect(await follow('google.md', { variables })).toMatch(SIGNS);
    } finally {
      await kms.stop();
    }
  });
});
