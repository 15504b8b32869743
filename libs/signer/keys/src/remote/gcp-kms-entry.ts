import type { GcpKmsKeySettings, RemoteServices } from '@tetrad/remote-keys';
import type { Address } from '@tetrad/types';
import { fingerprintOf, type KeyEntry } from '../key-entry.js';
import { openRemoteKey } from './open-remote-key.js';

/** A key that signs in Google Cloud KMS. */
export function gcpKmsEntry(
  name: string,
  settings: GcpKmsKeySettings & { readonly expected?: Address },
  services: RemoteServices,
): KeyEntry {
  const { expected, ...named } = settings;
  return {
    name,
    fingerprint: fingerprintOf(['gcp-kms', JSON.stringify(settings)]),
    isRemote: true,
    address: expected,
    open: () => openRemoteKey(() => services.open({ ...named, kind: 'gcp-kms' }), expected),
  };
}
