import type { AwsSecretsSettings } from '../aws-secrets/aws-secrets.js';
import type { AzureVaultSettings } from '../azure/azure-settings.js';
import type { VaultRequest } from '../vault/vault-sessions.js';

/** Where a secret is, and how to get it. */
export type SecretLocation =
  | {
      readonly kind: 'aws';
      readonly account: AwsSecretsSettings;
      /** Name or ARN. */
      readonly secretId: string;
      /** Of a secret that is an object of JSON; undefined: the whole text. */
      readonly member?: string | undefined;
    }
  | {
      readonly kind: 'azure';
      readonly vault: AzureVaultSettings;
      readonly secretName: string;
      /** Undefined: the current one. */
      readonly version?: string | undefined;
      readonly member?: string | undefined;
    }
  | { readonly kind: 'vault'; readonly request: VaultRequest; readonly member: string };

/** What a file with `[secret]` names. */
export interface SecretFile {
  readonly path: string;
  readonly secret: SecretLocation;
  /** Public key of a key pair whose private key is the secret: where its public key is. */
  readonly publicKey: SecretLocation | undefined;
}
