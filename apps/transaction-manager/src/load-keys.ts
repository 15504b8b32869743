import { isSecretFile } from '@tetrad/remote-keys/secrets';
import { OptionError, readTextFile } from '@tetrad/service';
import { decryptKeyFiles, keyPairFromPrivate, type KeyFile, type KeyPair } from '@tetrad/transaction-manager';
import { OperatorError } from '@tetrad/types';
import type { ManagerConfig } from './config.js';
import { VaultKeys } from './vault-keys.js';

/** A key file, and the public key that its vault has for it. */
interface LoadedFile extends KeyFile {
  readonly publicKey?: string | undefined;
}

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
  const vaults = new VaultKeys(process.env);
  try {
    const files: LoadedFile[] = [];
    for (const [index, path] of keyFiles.entries())
      files.push(await loadFile(path, lines.length === 1 ? lines[0] : lines[index], vaults));
    const pairs = (await decryptKeyFiles(files)).map(keyPairFromPrivate);
    pairs.forEach((pair, index) => assertPair(pair, files[index]));
    return pairs;
  } finally {
    vaults.close();
  }
}

async function loadFile(path: string, password: string | undefined, vaults: VaultKeys): Promise<LoadedFile> {
  if (isSecretFile(path)) return { name: path, ...(await vaults.read(path)) };
  const given = password === undefined || password === '' ? {} : { password };
  return { name: path, text: readTextFile(path, '--key-files'), ...given };
}

function assertPair({ publicKey }: KeyPair, file: LoadedFile | undefined): void {
  if (file?.publicKey === undefined || file.publicKey === publicKey) return;
  throw new OperatorError(
    `${file.name}: the public key in its vault is ${file.publicKey.slice(0, 80)}, that of the private key ${publicKey}`,
  );
}
