import { OptionError, readTextFile } from '@tetrad/service';
import { decryptKeyFiles, keyPairFromPrivate, type KeyPair } from '@tetrad/transaction-manager';
import type { ManagerConfig } from './config.js';

/**
 * The key pairs of the options. Takes 20 s a key where a file asks for it.
 * @throws OperatorError that names the file
 */
export async function loadKeys({ keyFiles, keyPasswordFile }: ManagerConfig): Promise<KeyPair[]> {
  if (keyFiles.length === 0) throw new OptionError('--key-files', 'must name at least one file');
  const lines = keyPasswordFile?.reveal().split(/\r?\n/) ?? [];
  if (lines.length > 1 && lines.length !== keyFiles.length)
    throw new OptionError(
      '--key-password-file',
      `has ${lines.length} lines for ${keyFiles.length} key files`,
    );
  const files = keyFiles.map((path, index) => {
    const password = lines.length === 1 ? lines[0] : lines[index];
    const given = password === undefined || password === '' ? {} : { password };
    return { name: path, text: readTextFile(path, '--key-files'), ...given };
  });
  return (await decryptKeyFiles(files)).map(keyPairFromPrivate);
}
