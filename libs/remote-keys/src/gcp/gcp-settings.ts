/** Keys of Google Cloud KMS; nothing in it is secret. */
export interface GcpKmsSettings {
  /** A service account's key in JSON; undefined: the account of the host or pod, by its metadata service. */
  readonly credentialsFile?: string | undefined;
  /** In place of the public service. */
  readonly endpoint?: string | undefined;
  /** In place of the metadata service of the host. */
  readonly metadataUrl?: string | undefined;
  readonly timeoutMs: number;
}

/** A key of Google Cloud KMS. */
export interface GcpKmsKeySettings extends GcpKmsSettings {
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…` */
  readonly keyVersion: string;
}
