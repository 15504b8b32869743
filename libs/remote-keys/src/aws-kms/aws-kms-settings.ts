/** Keys of one AWS account and region; nothing in it is secret but `credentials`. */
export interface AwsKmsSettings {
  /** Undefined: as the SDK finds it (`AWS_REGION`, shared configuration). */
  readonly region?: string | undefined;
  /** URL in place of the region's own, for VPC endpoints and tests. */
  readonly endpoint?: string | undefined;
  /**
   * Undefined: the usual ways of the SDK: variables, shared files, web identity, the roles of containers and hosts, each
   * renewed before it expires.
   */
  readonly credentials?:
    | {
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        readonly sessionToken?: string;
      }
    | undefined;
  readonly timeoutMs: number;
}
