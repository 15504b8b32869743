/** A client of a chain: one of viem, or a provider of EIP-1193. */
export interface ChainClient {
  /** Asks a node: `request({ method, params })`. */
  request: (request: never) => Promise<unknown>;
}
