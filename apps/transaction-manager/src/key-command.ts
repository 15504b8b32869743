import { writeNewWhole } from '@tetrad/files';
import {
  defineOptions,
  integerOption,
  listOption,
  option,
  pathOption,
  secretFileOption,
  OptionError,
  type ConfigOf,
  type Secret,
} from '@tetrad/service';
import { DEFAULT_COST, MAX_COST, encryptKeyFile, generateKeyPair } from '@tetrad/transaction-manager';
import { OperatorError, firstLine } from '@tetrad/types';
import { VaultKeys } from './vault-keys.js';

/** Options of `transaction-manager key new`. */
export const newKeyOptions = defineOptions({
  out: option(listOption(pathOption()), {
    description:
      'Names of the files of each key pair: NAME.key for the private key, NAME.pub for the public key.',
    short: 'o',
  }),
  passwordFile: option(secretFileOption(), {
    description: 'File whose first line is the password of the key file.',
    short: 'p',
  }),
  vaultFile: option(pathOption(), {
    description:
      'In place of files: TOML file that names secrets of AWS Secrets Manager, Azure Key Vault or HashiCorp Vault, which are not there yet and get the key pair. The file is then one of --key-files.',
  }),
  kdfMemory: option(integerOption({ min: 8 * DEFAULT_COST.parallelism, max: MAX_COST.memory }), {
    description:
      'Memory with which the key that encrypts the file is derived from the password (Argon2id): more makes guessing dearer, and each start longer. A long random password needs little.',
    unit: 'KiB',
    default: DEFAULT_COST.memory,
  }),
  kdfIterations: option(integerOption({ min: 1, max: MAX_COST.iterations }), {
    description: 'Passes of the derivation over its memory.',
    default: DEFAULT_COST.iterations,
  }),
});

/**
 * Makes key pairs, one after the other, and writes them as existing managers read them, or stores one in a vault.
 * @returns lines for the operator
 * @throws OperatorError when the password is empty or a file is there already; the pairs before it are complete
 */
export async function newKeys(options: ConfigOf<typeof newKeyOptions>): Promise<string> {
  const { out, passwordFile, vaultFile } = options;
  if (vaultFile !== undefined) {
    if (out === undefined && passwordFile === undefined) return newVaultKey(vaultFile);
    throw new OptionError('--vault-file', 'is given in place of --out and --password-file');
  }
  if (out === undefined || passwordFile === undefined)
    throw new OptionError('--out', 'is required with --password-file, or --vault-file in place of both');
  return newKeyFiles(out, passwordFile, options);
}

async function newKeyFiles(
  out: readonly string[],
  passwordFile: Secret,
  { kdfMemory, kdfIterations }: Pick<ConfigOf<typeof newKeyOptions>, 'kdfMemory' | 'kdfIterations'>,
): Promise<string> {
  const password = firstLine(passwordFile.reveal());
  if (password === '') throw new OperatorError('--password-file: the first line is empty');
  const cost = { ...DEFAULT_COST, memory: kdfMemory, iterations: kdfIterations };
  const made: string[] = [];
  for (const name of out) made.push(await newKeyFile(name, password, cost));
  return made.join('\n');
}

async function newKeyFile(name: string, password: string, cost: typeof DEFAULT_COST): Promise<string> {
  const { publicKey, privateKey } = generateKeyPair();
  const [keyFile, publicFile] = [`${name}.key`, `${name}.pub`];
  await write(keyFile, await encryptKeyFile(privateKey, password, cost), 0o600);
  privateKey.fill(0);
  await write(publicFile, publicKey, 0o644);
  return [`public key   ${publicKey}`, `key file     ${keyFile}`, `public file  ${publicFile}`].join('\n');
}

/** As a Tessera does with `-keygenvaulttype`; the layout of the secrets is the same. */
async function newVaultKey(vaultFile: string): Promise<string> {
  const vaults = new VaultKeys(process.env);
  const { publicKey, privateKey } = generateKeyPair();
  try {
    await vaults.create(vaultFile, { privateKey: Buffer.from(privateKey).toString('base64'), publicKey });
    return [`public key   ${publicKey}`, `key file     ${vaultFile}`].join('\n');
  } finally {
    privateKey.fill(0);
    vaults.close();
  }
}

function write(path: string, text: string, mode: number): Promise<void> {
  return writeNewWhole(path, text, mode).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${path}: cannot be written (${error.code})`);
  });
}
