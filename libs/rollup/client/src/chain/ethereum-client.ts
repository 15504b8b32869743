import { EthereumClient } from '@tetrad/rollup-chain';

const TIMEOUT_MS = 60_000;

/** JSON-RPC with an Ethereum client. Calls fail with ChainUnavailableError or ChainRpcError. */
export function connectEthereum(url: string): EthereumClient {
  return new EthereumClient({ url, timeoutMs: TIMEOUT_MS });
}
