import type { AwsKmsSettings } from '@tetrad/remote-keys';
import type { Address } from '@tetrad/types';
import { fingerprintOf, type KeyEntry } from '../key-entry.js';
import { openRemoteKey } from './open-remote-key.js';
import type { RemoteServices } from './remote-services.js';

/** Of a call to a cloud service. */
export const AWS_KMS_TIMEOUT_MS = 10_000;

/** A key of AWS KMS. */
export interface AwsKmsKeySettings extends AwsKmsSettings {
  /** Id or ARN of the key, or an alias with `alias/` before it. */
  readonly keyId: string;
}

/** A key that signs in AWS KMS. */
export function awsKmsEntry(
  name: string,
  settings: AwsKmsKeySettings & { readonly expected?: Address },
  services: RemoteServices,
): KeyEntry {
  const { keyId, expected, ...account } = settings;
  return {
    name,
    fingerprint: fingerprintOf(['aws-kms', JSON.stringify(settings)]),
    isRemote: true,
    address: expected,
    open() {
      const { service, gate } = services.awsKms(account);
      return openRemoteKey(() => services.openKey(service.key(keyId), gate, account.timeoutMs), expected);
    },
  };
}
