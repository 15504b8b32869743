import { openRollupKeyFile } from '@tetrad/rollup-client';
import { OptionError } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import type { OperatorConfig } from './config.js';
import { readPassword } from './read-password.js';

/**
 * The secrets of the operator's keys: the present one first, then those that accounts were made with before.
 * @throws as `openOperatorSecret`; KeystoreError for a file of a former key, which has the same password
 */
export async function openOperatorSecrets(config: OperatorKeyConfig): Promise<readonly bigint[]> {
  const present = await openOperatorSecret(config);
  const former: bigint[] = [];
  for (const file of config.formerOperatorKeyFiles) {
    const password = await readPassword(config.operatorKeyPasswordFile as string);
    former.push((await openRollupKeyFile(file, password)).encryptionKey);
  }
  return [present, ...former];
}

type OperatorKeyConfig = Pick<
  OperatorConfig,
  'operatorKey' | 'operatorKeyFile' | 'operatorKeyPasswordFile' | 'formerOperatorKeyFiles'
>;

/**
 * The secret of the operator's key, from its file (`new-key` makes one). Batches of others are read with it: without it, one
 * of them would stop the operator.
 * @throws OptionError without a file or a password; KeystoreError; OperatorError when it is of another key
 */
async function openOperatorSecret({
  operatorKey,
  operatorKeyFile,
  operatorKeyPasswordFile,
}: OperatorKeyConfig): Promise<bigint> {
  if (operatorKeyFile === undefined)
    throw new OptionError('--operator-key-file', 'is required: batches of others are read with it');
  if (operatorKeyPasswordFile === undefined)
    throw new OptionError('--operator-key-password-file', 'is required with --operator-key-file');
  const password = await readPassword(operatorKeyPasswordFile);
  const { encryptionKey, encryptionPoint } = await openRollupKeyFile(operatorKeyFile, password);
  if (encryptionPoint.x !== operatorKey.x || encryptionPoint.y !== operatorKey.y)
    throw new OperatorError(`${operatorKeyFile} is not of the --operator-key`);
  return encryptionKey;
}
