/** A client of a chain: one of viem, or a provider of EIP-1193. */
export interface ChainClient {
  request: (request: never) => Promise<unknown>;
}
