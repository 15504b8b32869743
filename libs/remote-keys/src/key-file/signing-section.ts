import { resolve } from 'node:path';
import { z } from 'zod';
import {
  PKCS11_SESSIONS,
  REMOTE_KEY_TIMEOUT_MS,
  type AwsKmsKeySettings,
  type Pkcs11KeySettings,
} from './remote-key-settings.js';

const text = z.string().min(1, 'must not be empty');
const timeout = z.int().min(1).max(600_000).default(REMOTE_KEY_TIMEOUT_MS);

/** `[signing]` of a TOML file for a key of an HSM; EthSigner has no such type. */
export const pkcs11Section = z.object({
  type: z.literal('pkcs11-signer'),
  library: text,
  slot: z.int().min(0).optional(),
  'token-label': text.optional(),
  'pin-file': text.optional(),
  'key-label': text.optional(),
  'key-id': text.optional(),
  sessions: z.int().min(1).max(1_000).default(PKCS11_SESSIONS),
  timeout,
});

/** `[signing]` of a TOML file for a key of AWS KMS; EthSigner has no such type. */
export const awsKmsSection = z.object({
  type: z.literal('aws-kms-signer'),
  /** As the SDK finds it, when it is left out; credentials are always found by the SDK. */
  region: text.optional(),
  endpoint: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  'key-id': text,
  timeout,
});

/** @param folder - to which its paths are relative */
export function pkcs11SettingsOf(section: z.output<typeof pkcs11Section>, folder: string): Pkcs11KeySettings {
  const pinFile = section['pin-file'];
  return {
    library: section.library,
    slot: section.slot,
    tokenLabel: section['token-label'],
    pinFile: pinFile === undefined ? undefined : resolve(folder, pinFile),
    sessions: section.sessions,
    timeoutMs: section.timeout,
    key: { label: section['key-label'], id: section['key-id'] },
  };
}

export function awsKmsSettingsOf(section: z.output<typeof awsKmsSection>): AwsKmsKeySettings {
  const { region, endpoint, timeout: timeoutMs, 'key-id': keyId } = section;
  return { region, endpoint, timeoutMs, keyId };
}
