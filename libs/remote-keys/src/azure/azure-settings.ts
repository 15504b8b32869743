/** How a program says to Azure who it is. */
export type AzureCredentials =
  | {
      readonly mode: 'client-secret';
      readonly tenantId: string;
      readonly clientId: string;
      readonly clientSecret: string;
    }
  /** Its first line is read with each token that is asked for, so that it may be replaced. */
  | {
      readonly mode: 'client-secret-file';
      readonly tenantId: string;
      readonly clientId: string;
      readonly clientSecretFile: string;
    }
  /** A token of Kubernetes, which the platform renews in a file. */
  | {
      readonly mode: 'workload-identity';
      readonly tenantId: string;
      readonly clientId: string;
      readonly tokenFile: string;
    }
  /** Of the host; `clientId` names one of several. */
  | { readonly mode: 'managed-identity'; readonly clientId?: string | undefined };

/** Keys of one vault; nothing in it is secret but a client secret that is not a file. */
export interface AzureVaultSettings {
  /** Such as `https://bank.vault.azure.net`, without a slash at the end. */
  readonly vaultUrl: string;
  readonly credentials: AzureCredentials;
  /** Of the service that gives tokens, in place of the public cloud's or the host's. */
  readonly authorityUrl?: string | undefined;
  readonly timeoutMs: number;
}

/** A key of a vault. */
export interface AzureKeySettings extends AzureVaultSettings {
  readonly keyName: string;
  /** Undefined: the one that is current when the key is opened, until it is opened again. */
  readonly keyVersion?: string | undefined;
}

/** The URL of a vault of the public cloud. */
export function azureVaultUrl(vaultName: string): string {
  return `https://${vaultName.toLowerCase()}.vault.azure.net`;
}
