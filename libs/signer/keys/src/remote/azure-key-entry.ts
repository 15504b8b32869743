import type { AzureKeySettings, RemoteServices } from '@tetrad/remote-keys';
import type { Address } from '@tetrad/types';
import { fingerprintOf, type KeyEntry } from '../key-entry.js';
import { openRemoteKey } from './open-remote-key.js';

/** A key that signs in Azure Key Vault. */
export function azureKeyEntry(
  name: string,
  settings: AzureKeySettings & { readonly expected?: Address },
  services: RemoteServices,
): KeyEntry {
  const { expected, ...named } = settings;
  return {
    name,
    fingerprint: fingerprintOf(['azure-key', JSON.stringify(settings)]),
    isRemote: true,
    address: expected,
    open: () => openRemoteKey(() => services.open({ ...named, kind: 'azure-key' }), expected),
  };
}
