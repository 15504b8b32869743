import { choiceOption, defineOptions, option, pathOption } from '@tetrad/service';
import { parseCoinAddress, CoinPrivateKey, EXPORT_FORMATS, exportKey as formatKey } from '@tetrad/wallet-key';
import { exportKey } from '@tetrad/wallet-signing';
import { passphraseOptions, storageOptions } from '../config.js';
import { openWallet } from '../open-wallet.js';
import { yesOption } from './delete.js';
import { defineCommand, operator } from './define-command.js';
import { writeSecretFile } from '../token-secret.js';

export const exportCommand = defineCommand({
  name: 'export',
  usage: 'ADDRESS [options]',
  words: [1, 1],
  summary: 'Prints the private key of an address, or writes it into a file. Asks first; it is recorded.',
  options: defineOptions({
    ...storageOptions,
    ...passphraseOptions,
    ...yesOption,
    format: option(choiceOption(...EXPORT_FORMATS), {
      group: 'Keys',
      description: 'Format of the key.',
      default: 'hex-lotus' as const,
    }),
    out: option(pathOption(), {
      group: 'Keys',
      description:
        'File to write to instead of standard output; it must not exist, and only its owner can read it.',
    }),
  }),
  async run({ words, config, terminal, logger }) {
    const [text = ''] = words;
    const address = parseCoinAddress(text);
    if (!config.yes) await terminal.confirm(`Export the private key of ${text}?`);
    const wallet = await openWallet(config, logger, { share: true, existing: true });
    try {
      const requester = operator();
      const exported = await exportKey(wallet, { address, requester }, (kind, bytes) => {
        const key = CoinPrivateKey.fromBytes(kind, bytes);
        try {
          return formatKey(key, config.format);
        } finally {
          key.wipe();
        }
      });
      if (config.out === undefined) terminal.say(exported);
      else await writeSecretFile(config.out, `${exported}\n`, '--out');
    } finally {
      await wallet.close();
    }
  },
});
