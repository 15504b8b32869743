/** Where a rollup is. */
export interface RollupPlace {
  /** JSON-RPC of the operator. */
  readonly operatorUrl: string;
  /** The contract. */
  readonly contract: `0x${string}`;
  /** Headers of each request to the operator, such as `authorization`; asked for each time. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
}
