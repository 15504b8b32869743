import { dirname, resolve } from 'node:path';
import { FileError, readSmallText } from '@tetrad/files';
import { TomlSectionError, parseTomlSection } from '../key-file/toml-section.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { locateAzureSecret } from './locate-azure-secret.js';
import { locateVaultSecret } from './locate-vault-secret.js';
import type { SectionContext, Variables } from './section-context.js';
import type { SecretFile } from './secret-location.js';
import { secretSections, type AwsSecretSection } from './secret-sections.js';

/** Far above what the settings of a secret take. */
const MAX_BYTES = 65_536;

/** Whether a file of this name does not hold the secret, but names one of a secret service. */
export function isSecretFile(path: string): boolean {
  return path.endsWith('.toml');
}

/**
 * Reads which secret of which service a TOML file names. The service is not asked.
 *
 * @param variables - of the environment, for `environment` as a way to log in
 * @throws RemoteKeyError UNSUPPORTED naming the file and what is wrong in it
 */
export async function readSecretFile(path: string, variables: Variables): Promise<SecretFile> {
  const toml = await readSmallText(path, MAX_BYTES).catch((error: unknown) => {
    throw error instanceof FileError ? new RemoteKeyError('UNSUPPORTED', error.message) : error;
  });
  return parseSecretFile(toml, path, variables);
}

/**
 * As `readSecretFile`, of a file that was read.
 *
 * @param path - of the file, to whose folder its paths are relative
 * @throws RemoteKeyError UNSUPPORTED naming the file and what is wrong in it
 */
export async function parseSecretFile(toml: string, path: string, variables: Variables): Promise<SecretFile> {
  try {
    const section = parseTomlSection(toml, { name: 'secret', sections: secretSections });
    const context = { folder: dirname(resolve(path)), variables };
    return { path, ...(await located(section, context)) };
  } catch (error) {
    if (error instanceof FileError || error instanceof TomlSectionError)
      throw new RemoteKeyError('UNSUPPORTED', `${path}: ${error.message}`);
    throw error;
  }
}

function located(
  section: ReturnType<typeof secretSections.parse>,
  context: SectionContext,
): Promise<Omit<SecretFile, 'path'>> {
  switch (section.type) {
    case 'aws-secret':
      return Promise.resolve(locateAwsSecret(section));
    case 'azure-secret':
      return locateAzureSecret(section, context);
    case 'vault-secret':
      return locateVaultSecret(section, context);
  }
}

function locateAwsSecret(section: AwsSecretSection): Omit<SecretFile, 'path'> {
  const { region, endpoint, member, timeout: timeoutMs, 'public-secret-id': publicId } = section;
  const account = { region, endpoint, timeoutMs };
  return {
    secret: { kind: 'aws', account, secretId: section['secret-id'], member },
    publicKey: publicId === undefined ? undefined : { kind: 'aws', account, secretId: publicId, member },
  };
}
