import type { AwsKmsSettings } from '../aws-kms/aws-kms-settings.js';
import type { AzureKeySettings } from '../azure/azure-settings.js';
import type { GcpKmsKeySettings } from '../gcp/gcp-settings.js';
import type { Pkcs11KeyName, Pkcs11TokenSettings } from '../pkcs11/pkcs11-settings.js';

/** Sessions of a token where nothing else is said; most HSMs permit many more. */
export const PKCS11_SESSIONS = 8;
/** Of a call to an HSM or a cloud service, where nothing else is said. */
export const REMOTE_KEY_TIMEOUT_MS = 10_000;

/** A key of an HSM. */
export interface Pkcs11KeySettings extends Pkcs11TokenSettings {
  readonly key: Pkcs11KeyName;
}

/** A key of AWS KMS. */
export interface AwsKmsKeySettings extends AwsKmsSettings {
  /** Id or ARN of the key, or an alias with `alias/` before it. */
  readonly keyId: string;
}

/** Which key of which service. */
export type RemoteKeySettings =
  | ({ readonly kind: 'pkcs11' } & Pkcs11KeySettings)
  | ({ readonly kind: 'aws-kms' } & AwsKmsKeySettings)
  | ({ readonly kind: 'azure-key' } & AzureKeySettings)
  | ({ readonly kind: 'gcp-kms' } & GcpKmsKeySettings);

/** What is missing to find one key of one token; undefined when nothing is. */
export function pkcs11NameProblem({ slot, tokenLabel, key }: Pkcs11KeySettings): string | undefined {
  if (slot === undefined && tokenLabel === undefined) return 'the token needs a label or a slot';
  if (key.label === undefined && key.id === undefined) return 'the key of the token needs a label or an id';
  if (key.id !== undefined && !/^(?:[0-9a-f]{2})+$/i.test(key.id))
    return 'the id of the key is not pairs of hex digits';
  return undefined;
}
