import { RemoteKeyError, type AzureVaultSettings, type RemoteServices } from '@tetrad/remote-keys';
import { fingerprintOf, type KeyEntry } from '../key-entry.js';
import { KeyLoadError } from '../key-load-error.js';
import { keyFromHex } from '../signing-key.js';

export interface AzureSecretKey extends AzureVaultSettings {
  readonly secretName: string;
}

/** A key whose hex digits are a secret of Azure Key Vault; it is loaded, and signs here. */
export function azureSecretEntry(name: string, settings: AzureSecretKey, services: RemoteServices): KeyEntry {
  const { secretName, ...vault } = settings;
  return {
    name,
    fingerprint: fingerprintOf(['azure-secret', JSON.stringify(settings)]),
    isRemote: true,
    open: async () => keyFromHex(await read(secretName, vault, services), `the secret ${secretName}`),
  };
}

/** @throws KeyLoadError, transient where the vault may give the secret with nothing changed */
async function read(name: string, vault: AzureVaultSettings, services: RemoteServices): Promise<string> {
  try {
    const { service } = services.azureVault(vault);
    return await service.readSecret(name, AbortSignal.timeout(vault.timeoutMs));
  } catch (error) {
    if (error instanceof RemoteKeyError) throw new KeyLoadError(error.message, error.isPassing);
    throw error;
  }
}
