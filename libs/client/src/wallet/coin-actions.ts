import type { Client } from 'viem';
import { callMethod } from '../wire/call-method.js';
import type { CoinAddress } from './coin-message.js';
import type { CoinSignature } from './coin-signature.js';
import {
  walletSign,
  walletSignMessage,
  walletVerify,
  type SignedCoinMessage,
  type WalletSignMessageParameters,
  type WalletSignParameters,
  type WalletVerifyParameters,
} from './signing.js';

/**
 * Whether the wallet holds the key of an address.
 *
 * @param client - client of the wallet
 */
export function walletHas(client: Client, { address }: { readonly address: CoinAddress }): Promise<boolean> {
  return callMethod(client, 'Coin.WalletHas', address);
}

/**
 * The addresses whose keys the wallet holds, sorted.
 *
 * @param client - client of the wallet
 */
export function walletList(client: Client): Promise<readonly CoinAddress[]> {
  return callMethod(client, 'Coin.WalletList');
}

export type CoinActions = {
  /** Whether the wallet holds the key of an address. */
  readonly walletHas: (parameters: { readonly address: CoinAddress }) => Promise<boolean>;
  /** The addresses whose keys the wallet holds, sorted. */
  readonly walletList: () => Promise<readonly CoinAddress[]>;
  /** Signs data with a key of the wallet. */
  readonly walletSign: (parameters: WalletSignParameters) => Promise<CoinSignature>;
  /** Signs a message with a key of the wallet. */
  readonly walletSignMessage: (parameters: WalletSignMessageParameters) => Promise<SignedCoinMessage>;
  /** Whether a signature of data is by the key of an address. */
  readonly walletVerify: (parameters: WalletVerifyParameters) => Promise<boolean>;
};

/**
 * The wallet of a coin network: `createClient({ transport: http(url) }).extend(coinActions())`, with the URL of a wallet
 * (`/rpc/v1/coin`).
 */
export function coinActions(): (client: Client) => CoinActions {
  return (client) => ({
    walletHas: (parameters) => walletHas(client, parameters),
    walletList: () => walletList(client),
    walletSign: (parameters) => walletSign(client, parameters),
    walletSignMessage: (parameters) => walletSignMessage(client, parameters),
    walletVerify: (parameters) => walletVerify(client, parameters),
  });
}
