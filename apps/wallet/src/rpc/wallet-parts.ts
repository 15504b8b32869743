import type { CoinNetwork, SigningPool } from '@tetrad/wallet-key';
import type { AddressList, RemoteCoinKeys, WalletSigner } from '@tetrad/wallet-signing';
import type { WalletStore } from '@tetrad/wallet-store';

/** What the handlers work with. */
export interface WalletParts {
  readonly store: Pick<WalletStore, 'hasKey'>;
  /** Keys that sign in HSMs and key services. */
  readonly remote: Pick<RemoteCoinKeys, 'has'>;
  readonly addresses: AddressList;
  readonly signer: WalletSigner;
  readonly pool: SigningPool;
  readonly network: CoinNetwork;
}
