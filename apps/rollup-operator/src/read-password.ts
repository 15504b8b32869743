import { readPasswordFile } from '@tetrad/keystore';
import { RemoteKeyError, SecretTexts, isSecretFile } from '@tetrad/remote-keys/secrets';
import { OperatorError, firstLine, systemClock } from '@tetrad/types';

/**
 * The password in a file: its first line, or that of the secret which a TOML file names.
 * @throws KeystoreError naming the file; OperatorError naming the secret, and what its service said
 */
export async function readPassword(path: string): Promise<string> {
  if (!isSecretFile(path)) return readPasswordFile(path);
  const texts = new SecretTexts({ clock: systemClock, variables: process.env });
  try {
    return firstLine(await texts.read(path));
  } catch (error) {
    throw error instanceof RemoteKeyError ? new OperatorError(error.message, { cause: error }) : error;
  } finally {
    texts.close();
  }
}
