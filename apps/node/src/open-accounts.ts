import { createKeystore, openKeystoreFolder, type Keystore } from '@tetrad/keystore';
import { OperatorError } from '@tetrad/types';
import type { NodeConfig } from './config.js';
import { asOperatorError } from './operator-errors.js';

/** The accounts whose keys the node holds. Fails: OperatorError */
export async function openAccounts(
  config: Pick<NodeConfig, 'keystoreDir' | 'keystorePasswordFile'>,
): Promise<Keystore> {
  if (config.keystoreDir === undefined) return createKeystore([]);
  if (config.keystorePasswordFile === undefined) {
    throw new OperatorError('--keystore-password-file is required with --keystore-dir');
  }
  return openKeystoreFolder(config.keystoreDir, config.keystorePasswordFile.reveal()).catch(asOperatorError);
}
