import { createRollupKeyFile } from '@tetrad/rollup-client';
import { encodePoint } from '@tetrad/rollup-crypto';
import { defineOptions, option, pathOption, secretFileOption, type ConfigOf } from '@tetrad/service';
import { OperatorError, firstLine, hexFromBytes } from '@tetrad/types';

const KEY = 'Key';

export const newKeyOptions = defineOptions({
  keyFile: option(pathOption(), {
    group: KEY,
    description: 'Encrypted key file (version 3) to create; an existing file is not overwritten.',
    required: true,
  }),
  passwordFile: option(secretFileOption(), {
    group: KEY,
    description: 'File whose first line is the password of the key file.',
    required: true,
  }),
});

export type NewKeyConfig = ConfigOf<typeof newKeyOptions>;

/**
 * Makes the key of an operator, to which account holders encrypt, and writes its secret into a key file.
 * @returns the public key, 64 bytes as hex, under the name of the operator's option
 * @throws OperatorError without a password; KeystoreError when the file exists
 */
export async function newKey({
  keyFile,
  passwordFile,
}: NewKeyConfig): Promise<{ readonly operatorKey: string }> {
  const password = firstLine(passwordFile.reveal());
  if (password === '') throw new OperatorError('the password file is empty');
  const { encryptionPoint } = await createRollupKeyFile(keyFile, password);
  return { operatorKey: hexFromBytes(encodePoint(encryptionPoint)) };
}
