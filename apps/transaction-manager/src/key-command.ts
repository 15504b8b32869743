import { writeNewWhole } from '@tetrad/files';
import { defineOptions, option, pathOption, secretFileOption, type ConfigOf } from '@tetrad/service';
import { encryptKeyFile, generateKeyPair } from '@tetrad/transaction-manager';
import { OperatorError, firstLine } from '@tetrad/types';

/** Options of `transaction-manager key new`. */
export const newKeyOptions = defineOptions({
  out: option(pathOption(), {
    description: 'Name of the files: NAME.key for the private key, NAME.pub for the public key.',
    required: true,
    short: 'o',
  }),
  passwordFile: option(secretFileOption(), {
    description: 'File whose first line is the password of the key file.',
    required: true,
    short: 'p',
  }),
});

/**
 * Makes a key pair and writes it as existing managers read it.
 *
 * Out:   lines for the operator
 * Fails: OperatorError when the password is empty or a file is there already
 */
export async function newKey({ out, passwordFile }: ConfigOf<typeof newKeyOptions>): Promise<string> {
  const password = firstLine(passwordFile.reveal());
  if (password === '') throw new OperatorError('--password-file: the first line is empty');
  const { publicKey, privateKey } = generateKeyPair();
  const [keyFile, publicFile] = [`${out}.key`, `${out}.pub`];
  await write(keyFile, await encryptKeyFile(privateKey, password), 0o600);
  privateKey.fill(0);
  await write(publicFile, publicKey, 0o644);
  return [`public key   ${publicKey}`, `key file     ${keyFile}`, `public file  ${publicFile}`].join('\n');
}

function write(path: string, text: string, mode: number): Promise<void> {
  return writeNewWhole(path, text, mode).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${path}: cannot be written (${error.code})`);
  });
}
