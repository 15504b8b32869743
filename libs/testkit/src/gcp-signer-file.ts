import type { GcpKmsServer } from './gcp-kms-server.js';

/** A version of a key, as Google Cloud KMS names it. */
export const GCP_KEY_VERSION =
  'projects/bank/locations/europe-west3/keyRings/desks/cryptoKeys/desk/cryptoKeyVersions/1';

/**
 * The content of a signer file for the key of the server.
 * @param accountFile - path of a file with the server's `accountFile`
 */
export function gcpSignerFile({ url }: GcpKmsServer, accountFile: string): string {
  const lines = {
    type: 'gcp-kms-signer',
    'key-version': GCP_KEY_VERSION,
    'credentials-file': accountFile,
    endpoint: url,
  };
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return ['[signing]', ...text].join('\n');
}
