import { coinAddressFromBytes, formatCoinAddress } from '@tetrad/wallet-key';
import { keyKindOf, readRemoteKeyFolder, type RemoteCoinKeyFile } from '@tetrad/wallet-signing';
import { booleanOption, defineOptions, option } from '@tetrad/service';
import { remoteKeyOptions, storageOptions, type RemoteKeysConfig, type StorageConfig } from '../config.js';
import { openStore } from '../open-wallet.js';
import { defineCommand } from './define-command.js';

export const listCommand = defineCommand({
  name: 'list',
  usage: '[options]',
  words: [0, 0],
  summary: 'Prints the addresses of the wallet, sorted. Asks for no passphrase.',
  options: defineOptions({
    ...storageOptions,
    ...remoteKeyOptions,
    long: option(booleanOption(), {
      description:
        'Also print kind, creation time, derivation path and label, or the file that names the key.',
      default: false,
    }),
  }),
  async run({ config, terminal, logger }) {
    const opened = await openStore(config, logger, { share: true, existing: true });
    try {
      const lines = new Map<string, string>();
      for (const {
        kind,
        createdAt,
        derivationPath = '-',
        label = '',
        ...key
      } of await opened.store.describeKeys()) {
        const address = formatCoinAddress(coinAddressFromBytes(key.address), config.network);
        const long = [address, keyKindOf(kind), createdAt.toISOString(), derivationPath, label].join(' ');
        lines.set(address, config.long ? long.trimEnd() : address);
      }
      for (const { address, path } of await remoteFiles(config))
        lines.set(address, config.long ? `${address} ${path}` : address);
      for (const line of [...lines.values()].sort()) terminal.say(line);
    } finally {
      await opened.close();
    }
  },
});

async function remoteFiles({
  multikeySignerDirectory: folder,
  network,
}: RemoteKeysConfig & Pick<StorageConfig, 'network'>): Promise<readonly RemoteCoinKeyFile[]> {
  return folder === undefined ? [] : readRemoteKeyFolder(folder, network);
}
