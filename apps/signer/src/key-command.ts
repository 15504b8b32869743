import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressFromPrivateKey, isPrivateKey } from '@tetrad/crypto';
import { makeFolder, writeNewWhole } from '@tetrad/files';
import { KeystoreError, writeKeyFile } from '@tetrad/keystore';
import {
  booleanOption,
  choiceOption,
  defineOptions,
  option,
  pathOption,
  type ConfigOf,
} from '@tetrad/service';
import { OperatorError, firstLine } from '@tetrad/types';
import { newRemoteKey, remoteKeyOptions } from './new-remote-key.js';

const KEY = 'New key';

/** Options of `signer key new`. */
export const keyOptions = defineOptions({
  source: option(choiceOption('file', 'pkcs11', 'aws-kms', 'azure', 'gcp-kms'), {
    group: KEY,
    description:
      'Where the key is made: in a key file, or in an HSM, AWS KMS, Azure Key Vault or Google Cloud KMS, which it never leaves.',
    default: 'file',
  }),
  directory: option(pathOption('DIR'), {
    group: KEY,
    description: 'Folder for the key file; created when missing.',
    short: 'd',
  }),
  passwordFile: option(pathOption(), {
    group: KEY,
    description:
      'File whose first line is the password. By default a random password is written next to the key.',
    short: 'p',
  }),
  signerFile: option(booleanOption(), {
    group: KEY,
    description: 'Also write a TOML signer file, so that the folder can be used by multikey-signer.',
    default: false,
  }),
  ...remoteKeyOptions,
});

/**
 * Makes a key where the options say.
 * @returns lines for the operator: the address, the files, and how to start with them
 * @throws OperatorError when options are missing, files cannot be read or written, or the service makes none
 */
export async function newKey(config: ConfigOf<typeof keyOptions>): Promise<string> {
  if (config.source !== 'file') return newRemoteKey(config.source, config);
  const { directory } = config;
  if (directory === undefined) throw new OperatorError('Missing required option(s): --directory');
  return newKeyFile({ ...config, directory });
}

/** Writes it as a V3 key file that only its owner may read, `<address>.json`. */
async function newKeyFile({
  directory,
  passwordFile,
  signerFile,
}: Pick<ConfigOf<typeof keyOptions>, 'passwordFile' | 'signerFile'> & {
  readonly directory: string;
}): Promise<string> {
  await makeFolder(directory, 0o700).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${directory}: cannot be made (${error.code})`);
  });
  const privateKey = randomPrivateKey();
  const address = addressFromPrivateKey(privateKey);
  const name = address.slice(2);
  const password =
    passwordFile === undefined ? randomBytes(24).toString('base64url') : await readPassword(passwordFile);
  const ownPasswordFile = passwordFile ?? join(directory, `${name}.password`);
  // Written first, so that no key file exists without its password.
  if (passwordFile === undefined) await write(ownPasswordFile, `${password}\n`);
  const keyFile = await writeKeyFile(directory, { privateKey, password, name: `${name}.json` }).catch(
    (error: unknown) => {
      throw error instanceof KeystoreError ? new OperatorError(error.message) : error;
    },
  );
  privateKey.fill(0);
  const lines = [
    `address        ${address}`,
    `key file       ${keyFile}`,
    `password file  ${ownPasswordFile}`,
  ];
  if (!signerFile) {
    return [...lines, `start with     --key-file ${keyFile} --password-file ${ownPasswordFile}`].join('\n');
  }
  const toml = join(directory, `${name}.toml`);
  await write(toml, signerFileText(keyFile, ownPasswordFile));
  return [...lines, `signer file    ${toml}`, `start with     multikey-signer --directory ${directory}`].join(
    '\n',
  );
}

function write(path: string, text: string): Promise<void> {
  return writeNewWhole(path, text).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${path}: cannot be written (${error.code})`);
  });
}

function randomPrivateKey(): Uint8Array {
  for (;;) {
    const bytes = new Uint8Array(randomBytes(32));
    if (isPrivateKey(bytes)) return bytes;
  }
}

async function readPassword(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`--password-file: cannot read ${path} (${error.code})`);
  });
  const password = firstLine(text);
  if (password === '') throw new OperatorError(`--password-file: the first line of ${path} is empty`);
  return password;
}

/** JSON writes texts as TOML reads them. */
function signerFileText(keyFile: string, passwordFile: string): string {
  return [
    '[signing]',
    'type = "file-based-signer"',
    `key-file = ${JSON.stringify(keyFile)}`,
    `password-file = ${JSON.stringify(passwordFile)}`,
    '',
  ].join('\n');
}
