/** What differs between the two programs in whose place the signer stands. Source: docs/spec/signing-proxy.md#routes and #options */
export interface Emulation {
  /** Body of `/upcheck`. */
  readonly upcheck: string;
  /** The file of `--data-path`, and its key for the port of HTTP. */
  readonly portsFile: { readonly name: string; readonly httpKey: string };
  /** Whether REST routes serve public keys and signatures of any bytes (docs/adr/0025). */
  readonly hasRestRoutes: boolean;
  /** Requests to no route that are forwarded to the Ethereum client: all, or JSON-RPC 2.0 only. */
  readonly forwards: 'anything' | 'json-rpc';
  /** Where key configurations are looked for when no option says where keys come from. */
  readonly defaultKeyConfigPath?: string;
}

export const ETHSIGNER: Emulation = {
  upcheck: "I'm up!",
  portsFile: { name: 'ethsigner.ports', httpKey: 'http-jsonrpc' },
  hasRestRoutes: false,
  forwards: 'anything',
};

/** Of the command `eth1`. */
export const WEB3SIGNER: Emulation = {
  upcheck: 'OK',
  portsFile: { name: 'web3signer.ports', httpKey: 'http-port' },
  hasRestRoutes: true,
  forwards: 'json-rpc',
  defaultKeyConfigPath: '.',
};
