import { parseCoinAddress } from '@tetrad/wallet-key';
import { deleteKey } from '@tetrad/wallet-signing';
import { booleanOption, defineOptions, option } from '@tetrad/service';
import { storageOptions } from '../config.js';
import { openStore } from '../open-wallet.js';
import { defineCommand, operator } from './define-command.js';

/** For commands that cannot be taken back, or let a secret out. */
export const yesOption = defineOptions({
  yes: option(booleanOption(), { description: 'Do not ask.', default: false }),
});

export const deleteCommand = defineCommand({
  name: 'delete',
  usage: 'ADDRESS [options]',
  words: [1, 1],
  summary: 'Deletes the key of an address for good. Asks first.',
  options: defineOptions({ ...storageOptions, ...yesOption }),
  async run({ words, config, terminal, logger }) {
    const [text = ''] = words;
    const address = parseCoinAddress(text);
    if (!config.yes) await terminal.confirm(`Permanently delete the key of ${text}?`);
    const { store, close } = await openStore(config, logger, { share: true, existing: true });
    try {
      await deleteKey({ store }, address, operator());
      terminal.say(`deleted ${text}`);
    } finally {
      await close();
    }
  },
});
