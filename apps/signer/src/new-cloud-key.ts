import { resolve } from 'node:path';
import {
  AzureVault,
  GcpKms,
  REMOTE_KEY_TIMEOUT_MS,
  RemoteKeyError,
  azureKeyName,
  gcpKeyName,
  gcpKeyRing,
} from '@tetrad/remote-keys';
import { defineOptions, option, pathOption, textOption, urlOption, type ConfigOf } from '@tetrad/service';
import { OperatorError, pause, systemClock } from '@tetrad/types';
import { azureVaultOf } from './cloud-key-sources.js';
import type { NewRemoteKey } from './new-key-report.js';
import { azureVaultOptions } from './options/cloud-key-options.js';

const GCP = 'Key in Google Cloud KMS';
/** A key that is being made is asked for so often, and so many times. */
const MADE_EVERY_MS = 1_000;
const MADE_TRIES = 60;

export const cloudKeyOptions = defineOptions({
  ...azureVaultOptions,
  azureKeyName: option(textOption('NAME'), {
    group: 'Keys in Azure Key Vault',
    description: 'Name of the new key.',
  }),
  gcpKeyRing: option(textOption('RING'), {
    group: GCP,
    description: 'Key ring of the new key: projects/…/locations/…/keyRings/….',
  }),
  gcpKeyName: option(textOption('NAME'), { group: GCP, description: 'Name of the new key.' }),
  gcpCredentialsFile: option(pathOption(), {
    group: GCP,
    description: 'Key file of a service account; by default the account of the host.',
  }),
  gcpEndpointOverride: option(urlOption('http', 'https'), {
    group: GCP,
    description: 'URL in place of that of the public service.',
  }),
});

type CloudKeyConfig = ConfigOf<typeof cloudKeyOptions>;

/**
 * Makes a key in a vault of Azure.
 * @throws OperatorError, RemoteKeyError
 */
export async function newAzureKey(config: CloudKeyConfig): Promise<NewRemoteKey> {
  const keyName = named(azureKeyName, config.azureKeyName, '--azure-key-name', 'azure');
  const settings = azureVaultOf(config, '--source azure');
  const vault = new AzureVault(settings, systemClock);
  const signal = AbortSignal.timeout(settings.timeoutMs);
  const version = await vault.generate(keyName, signal);
  const publicKey = await vault.key(keyName, version).readPublicKey(signal);
  const { credentials, vaultUrl, authorityUrl } = settings;
  const { mode: authentication } = credentials;
  return {
    publicKey,
    type: 'azure-signer',
    // A vault of another cloud has its URL; its name is read, and not used then.
    settings: [
      ['key-vault-name', config.azureVaultName ?? 'vault'],
      ['key-name', keyName],
      ['key-version', version],
      ['authentication', authentication],
      ['client-id', credentials.clientId],
      ['tenant-id', 'tenantId' in credentials ? credentials.tenantId : undefined],
      ['token-file', 'tokenFile' in credentials ? credentials.tokenFile : undefined],
      ['endpoint', config.azureEndpointOverride === undefined ? undefined : vaultUrl],
      ['authority', authorityUrl],
    ],
    remark:
      authentication === 'client-secret'
        ? 'client-secret-file is to be added: it names the file of the secret'
        : undefined,
  };
}

/**
 * Makes a key in Google Cloud KMS.
 * @throws OperatorError, RemoteKeyError
 */
export async function newGoogleKey(config: CloudKeyConfig): Promise<NewRemoteKey> {
  const keyRing = named(gcpKeyRing, config.gcpKeyRing, '--gcp-key-ring', 'gcp-kms');
  const keyName = named(gcpKeyName, config.gcpKeyName, '--gcp-key-name', 'gcp-kms');
  const { gcpCredentialsFile: file, gcpEndpointOverride: override } = config;
  const credentialsFile = file === undefined ? undefined : resolve(file);
  const endpoint = override?.href.replace(/\/$/, '');
  const kms = new GcpKms({ credentialsFile, endpoint, timeoutMs: REMOTE_KEY_TIMEOUT_MS }, systemClock);
  const keyVersion = await kms.generate(keyRing, keyName, AbortSignal.timeout(REMOTE_KEY_TIMEOUT_MS));
  return {
    publicKey: await publicKeyOf(kms, keyVersion),
    type: 'gcp-kms-signer',
    settings: [
      ['key-version', keyVersion],
      ['credentials-file', credentialsFile],
      ['endpoint', endpoint],
    ],
  };
}

/** The public key, once the HSM has made it. */
async function publicKeyOf(kms: GcpKms, keyVersion: string): Promise<Uint8Array> {
  const key = kms.key(keyVersion);
  for (let tries = 1; ; tries += 1) {
    try {
      return await key.readPublicKey(AbortSignal.timeout(REMOTE_KEY_TIMEOUT_MS));
    } catch (error) {
      const isPending = error instanceof RemoteKeyError && error.message.includes('FAILED_PRECONDITION');
      if (!isPending || tries === MADE_TRIES) throw error;
      await pause(systemClock, MADE_EVERY_MS);
    }
  }
}

function named(schema: typeof azureKeyName, given: string | undefined, flag: string, source: string): string {
  if (given === undefined)
    throw new OperatorError(`Missing required option(s): ${flag} with --source ${source}`);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new OperatorError(`${flag}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
}
