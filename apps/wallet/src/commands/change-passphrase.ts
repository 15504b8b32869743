import { changePassphrase } from '@tetrad/wallet-signing';
import { defineOptions, option, secretFileOption } from '@tetrad/service';
import { passphraseOptions, storageOptions } from '../config.js';
import { openWallet, passphraseOf } from '../open-wallet.js';
import { defineCommand, operator } from './define-command.js';

export const changePassphraseCommand = defineCommand({
  name: 'change-passphrase',
  usage: '--passphrase-file OLD --new-passphrase-file NEW [options]',
  words: [0, 0],
  summary:
    'Puts all keys under a new passphrase, in one transaction. A running service must be restarted with it.',
  options: defineOptions({
    ...storageOptions,
    ...passphraseOptions,
    newPassphraseFile: option(secretFileOption(), {
      group: 'Keys',
      description: 'File whose first line is the new passphrase.',
    }),
  }),
  async run({ config, terminal, logger }) {
    const next = passphraseOf(config.newPassphraseFile, 'newPassphraseFile');
    const wallet = await openWallet(config, logger, { share: true, existing: true });
    try {
      await changePassphrase(wallet, next, { requester: operator() });
      terminal.say('the passphrase is changed; restart the wallet service with the new one');
    } finally {
      await wallet.close();
    }
  },
});
