import type { EthereumClient, FeeMarket } from '@tetrad/rollup-chain';
import type { Address } from '@tetrad/types';

/** What the client says before an account sends. */
export interface AccountLook {
  /** Number of the latest block. */
  readonly block: number;
  readonly blockGas: bigint | undefined;
  /** Nonce after the latest block. */
  readonly mined: number;
  /** Nonce after what the client has pending. */
  readonly pending: number;
  readonly market: FeeMarket;
}

/**
 * Reads the latest block, the nonces of an account and the price of gas.
 *
 * @param client - of the chain
 * @param address - of the account
 * @returns the nonces are those of the block, or of a later one
 * @throws ChainUnavailableError; ChainRpcError
 */
export async function lookAtAccount(
  client: Pick<EthereumClient, 'gasPrice' | 'head' | 'nonce'>,
  address: Address,
): Promise<AccountLook> {
  const { number, gasLimit, baseFeePerGas } = await client.head();
  const [mined, pending, gasPrice] = await Promise.all([
    client.nonce(address, 'latest'),
    client.nonce(address, 'pending'),
    client.gasPrice(),
  ]);
  const market = { baseFee: baseFeePerGas ?? undefined, gasPrice };
  return { block: number, blockGas: gasLimit ?? undefined, mined, pending, market };
}
