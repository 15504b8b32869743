import { resolve } from 'node:path';
import { z } from 'zod';
import { REMOTE_KEY_TIMEOUT_MS } from '../key-file/remote-key-settings.js';
import type { GcpKmsKeySettings } from './gcp-settings.js';

/** Such a name has no version of its own when it is that of a key: signatures of versions differ, so one is named. */
const KEY_VERSION =
  /^projects\/[\w.:-]{1,100}\/locations\/[\w-]{1,63}\/keyRings\/[\w-]{1,63}\/cryptoKeys\/[\w-]{1,63}\/cryptoKeyVersions\/\d{1,9}$/;
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** The name of a version of a key. */
export const gcpKeyVersion = z
  .string()
  .regex(KEY_VERSION, 'must be projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/NUMBER');

/** The name of a key ring, and that of a key in it. */
export const gcpKeyRing = z
  .string()
  .regex(
    /^projects\/[\w.:-]{1,100}\/locations\/[\w-]{1,63}\/keyRings\/[\w-]{1,63}$/,
    'must be projects/…/locations/…/keyRings/…',
  );
export const gcpKeyName = z
  .string()
  .regex(/^[\w-]{1,63}$/, 'must be letters, digits, hyphens and underscores');

/** `[signing]` of a TOML file for a key of Google Cloud KMS; EthSigner has no such type. */
export const gcpKmsSection = z.object({
  type: z.literal('gcp-kms-signer'),
  'key-version': gcpKeyVersion,
  'credentials-file': z.string().min(1, 'must not be empty').optional(),
  endpoint: url.optional(),
  'metadata-url': url.optional(),
  timeout: z.int().min(1).max(600_000).default(REMOTE_KEY_TIMEOUT_MS),
});

/** @param folder - to which its paths are relative */
export function gcpKmsSettingsOf(section: z.output<typeof gcpKmsSection>, folder: string): GcpKmsKeySettings {
  const { endpoint, timeout: timeoutMs } = section;
  const { 'credentials-file': file, 'key-version': keyVersion, 'metadata-url': metadataUrl } = section;
  return {
    credentialsFile: file === undefined ? undefined : resolve(folder, file),
    endpoint: withoutSlash(endpoint),
    metadataUrl: withoutSlash(metadataUrl),
    timeoutMs,
    keyVersion,
  };
}

function withoutSlash(given: string | undefined): string | undefined {
  return given?.endsWith('/') === true ? given.slice(0, -1) : given;
}
