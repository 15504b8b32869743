import { systemClock, type Logger } from '@tetrad/types';
import { coinAddressFromBytes, formatCoinAddress } from '@tetrad/wallet-key';
import { RemoteCoinKeys, readRemoteKeyFolder } from '@tetrad/wallet-signing';
import type { WalletStore } from '@tetrad/wallet-store';
import type { RemoteKeysConfig, StorageConfig } from './config.js';

/**
 * Opens the keys that the folder of the options names; none without it. Services that are away hold nothing up.
 * @throws OperatorError naming the folder or the file
 */
export async function openRemoteKeys(
  { multikeySignerDirectory: folder, network }: RemoteKeysConfig & Pick<StorageConfig, 'network'>,
  logger: Logger,
): Promise<RemoteCoinKeys> {
  const files = folder === undefined ? [] : await readRemoteKeyFolder(folder, network);
  return RemoteCoinKeys.open(files, { network, clock: systemClock, logger });
}

/** Says which keys of the wallet are not used, because the same ones sign elsewhere. */
export async function warnOfUnusedKeys(
  remote: Pick<RemoteCoinKeys, 'has' | 'addresses'>,
  store: Pick<WalletStore, 'listAddresses'>,
  { network, logger }: { readonly network: StorageConfig['network']; readonly logger: Logger },
): Promise<void> {
  if (remote.addresses.length === 0) return;
  const { addresses } = await store.listAddresses();
  for (const address of addresses.map(coinAddressFromBytes)) {
    if (!remote.has(address)) continue;
    logger.warn('key of the wallet is not used: its HSM or key service signs', {
      address: formatCoinAddress(address, network),
    });
  }
}
