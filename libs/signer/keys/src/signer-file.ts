import {
  awsKmsSection,
  azureSection,
  checkVaultLogin,
  gcpKmsSection,
  parseTomlSection,
  pkcs11Section,
  TomlSectionError,
  vaultLoginMembers,
} from '@tetrad/remote-keys';
import { z } from 'zod';
import { KeyLoadError } from './key-load-error.js';

/** `[signing]` of a TOML signer file (docs/spec/signing-proxy.md#keys); unknown keys are ignored, as there. */
const text = z.string().min(1, 'must not be empty');
const fileBased = z.object({
  type: z.literal('file-based-signer'),
  'key-file': text,
  'password-file': text,
});
const hashicorp = z
  .object({
    type: z.literal('hashicorp-signer'),
    keyPath: text,
    keyName: text.default('value'),
    ...vaultLoginMembers,
    /** Of the enterprise edition; ours. */
    namespace: text.optional(),
    serverHost: text,
    serverPort: z.int().min(1).max(65_535).default(8200),
    timeout: z.int().min(1).max(600_000).default(10_000),
    tlsEnable: z.boolean().default(true),
    tlsTrustStoreType: z
      .string()
      .transform((type) => type.toUpperCase())
      .pipe(z.enum(['PEM', 'PKCS12', 'JKS', 'WHITELIST', 'ALLOWLIST']))
      .optional(),
    tlsTrustStorePath: text.optional(),
    tlsTrustStorePassword: z.string().optional(),
  })
  .superRefine(checkVaultLogin);
const raw = z.object({ type: z.literal('raw-signer'), 'priv-key': text });
const signing = z.discriminatedUnion('type', [
  fileBased,
  hashicorp,
  awsKmsSection,
  azureSection,
  gcpKmsSection,
  pkcs11Section,
  raw,
]);

export type SignerFile = z.output<typeof signing>;
export type HashicorpSigner = z.output<typeof hashicorp>;

/**
 * What a signer file asks for.
 * @throws KeyLoadError naming the key that is wrong; the file may hold a token or a key, so no value is repeated
 */
export function parseSignerFile(toml: string): SignerFile {
  try {
    return parseTomlSection(toml, { name: 'signing', sections: signing });
  } catch (error) {
    throw error instanceof TomlSectionError ? new KeyLoadError(error.message) : error;
  }
}
