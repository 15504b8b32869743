import { coinAddressFromBytes, formatCoinAddress } from '@tetrad/wallet-key';
import { keyKindOf } from '@tetrad/wallet-signing';
import { booleanOption, defineOptions, option } from '@tetrad/service';
import { storageOptions } from '../config.js';
import { openStore } from '../open-wallet.js';
import { defineCommand } from './define-command.js';

export const listCommand = defineCommand({
  name: 'list',
  usage: '[options]',
  words: [0, 0],
  summary: 'Prints the addresses of the wallet, sorted. Asks for no passphrase.',
  options: defineOptions({
    ...storageOptions,
    long: option(booleanOption(), {
      description: 'Also print kind, creation time, derivation path and label.',
      default: false,
    }),
  }),
  async run({ config, terminal, logger }) {
    const opened = await openStore(config, logger, { share: true, existing: true });
    try {
      const keys = await opened.store.describeKeys();
      const lines = keys.map((key) => {
        const address = formatCoinAddress(coinAddressFromBytes(key.address), config.network);
        if (!config.long) return address;
        const { kind, createdAt, derivationPath = '-', label = '' } = key;
        return [address, keyKindOf(kind), createdAt.toISOString(), derivationPath, label].join(' ').trimEnd();
      });
      for (const line of lines.sort()) terminal.say(line);
    } finally {
      await opened.close();
    }
  },
});
