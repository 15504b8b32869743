import type { AwsKmsKeySettings, RemoteServices } from '@tetrad/remote-keys';
import type { Address } from '@tetrad/types';
import { fingerprintOf, type KeyEntry } from '../key-entry.js';
import { openRemoteKey } from './open-remote-key.js';

/** A key that signs in AWS KMS. */
export function awsKmsEntry(
  name: string,
  settings: AwsKmsKeySettings & { readonly expected?: Address },
  services: RemoteServices,
): KeyEntry {
  const { expected, ...named } = settings;
  return {
    name,
    fingerprint: fingerprintOf(['aws-kms', JSON.stringify(settings)]),
    isRemote: true,
    address: expected,
    open: () => openRemoteKey(() => services.open({ ...named, kind: 'aws-kms' }), expected),
  };
}
