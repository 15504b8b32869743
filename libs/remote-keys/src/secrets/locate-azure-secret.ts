import { resolve } from 'node:path';
import type { AzureCredentials } from '../azure/azure-settings.js';
import type { SecretFile } from './secret-location.js';
import { lineIn, needed, variable, type SectionContext } from './section-context.js';
import type { AzureSecretSection } from './secret-sections.js';

/** @throws TomlSectionError, FileError */
export async function locateAzureSecret(
  section: AzureSecretSection,
  context: SectionContext,
): Promise<Omit<SecretFile, 'path'>> {
  const { name, version, member, timeout: timeoutMs } = section;
  const authority = authorityOf(section, context);
  const vault = {
    vaultUrl: withoutSlash(section['vault-url']),
    credentials: await credentialsOf(section, context),
    authorityUrl: authority === undefined ? undefined : withoutSlash(authority),
    timeoutMs,
  };
  const publicName = section['public-name'];
  const of = (secretName: string, which: string | undefined) =>
    ({ kind: 'azure', vault, secretName, version: which, member }) as const;
  return {
    secret: of(name, version),
    publicKey: publicName === undefined ? undefined : of(publicName, section['public-version']),
  };
}

/** The variable is of other clouds than the public one, and as the SDKs of Azure read it. */
function authorityOf(
  { authority, authentication }: AzureSecretSection,
  { variables }: SectionContext,
): string | undefined {
  if (authority !== undefined || authentication !== 'environment') return authority;
  return variables['AZURE_AUTHORITY_HOST'] || undefined;
}

async function credentialsOf(
  section: AzureSecretSection,
  context: SectionContext,
): Promise<AzureCredentials> {
  const { authentication: mode, 'client-id': clientId } = section;
  const why = `authentication ${mode}`;
  switch (mode) {
    case 'environment':
      return environmentCredentials(context);
    case 'managed-identity':
      return { mode, clientId };
    case 'workload-identity':
      return {
        mode,
        tenantId: needed(section, 'tenant-id', why),
        clientId: needed(section, 'client-id', why),
        tokenFile: resolve(context.folder, section['token-file']),
      };
    case 'client-secret': {
      const file = needed(section, 'client-secret-file', why);
      return {
        mode,
        tenantId: needed(section, 'tenant-id', why),
        clientId: needed(section, 'client-id', why),
        clientSecret: await lineIn(file, 'client-secret-file', context),
      };
    }
  }
}

/** As the SDKs of Azure do: variables that a Tessera has, or those that Kubernetes gives to a workload. */
function environmentCredentials(context: SectionContext): AzureCredentials {
  const tenantId = variable('AZURE_TENANT_ID', context);
  const clientId = variable('AZURE_CLIENT_ID', context);
  const tokenFile = context.variables['AZURE_FEDERATED_TOKEN_FILE'];
  if (tokenFile) return { mode: 'workload-identity', tenantId, clientId, tokenFile };
  return {
    mode: 'client-secret',
    tenantId,
    clientId,
    clientSecret: variable('AZURE_CLIENT_SECRET', context),
  };
}

function withoutSlash(given: string): string {
  return given.endsWith('/') ? given.slice(0, -1) : given;
}
