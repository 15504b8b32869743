import { choiceOption, defineOptions, option } from '@tetrad/service';
import { OperatorError, RequestError } from '@tetrad/types';
import { formatCoinAddress, CoinKeyError, IMPORT_FORMATS, KEY_KINDS } from '@tetrad/wallet-key';
import { passphraseOptions, storageOptions } from '../config.js';
import { openWallet } from '../open-wallet.js';
import { defineCommand } from './define-command.js';
import { keyFiles, readKeyFile, readKeyText, type KeyFound } from './key-source.js';
import { labelOption, storeKey } from './store-key.js';

export const importCommand = defineCommand({
  name: 'import',
  usage: '[FILE|DIR|-] [options]',
  words: [0, 1],
  summary:
    'Imports a key from a file or standard input, or every wallet key of a coin-network node’s keystore or repository folder, and prints its address.',
  options: defineOptions({
    ...storageOptions,
    ...passphraseOptions,
    format: option(choiceOption('auto', ...IMPORT_FORMATS), {
      group: 'Keys',
      description: 'Format of the key; auto detects it.',
      default: 'auto' as const,
    }),
    type: option(choiceOption(...KEY_KINDS), {
      group: 'Keys',
      description: 'Type of the key; must be given for bare hex, which does not include it.',
      aliases: ['kind'],
    }),
    ...labelOption,
  }),
  async run({ words, config, terminal, logger }) {
    const [path = '-'] = words;
    const how = { format: config.format, kind: config.type };
    const sources: KeySource[] =
      path === '-'
        ? [{ name: 'standard input', read: async () => readKeyText(await terminal.readInput(), how) }]
        : (await keyFiles(path)).map((name) => ({ name, read: () => readKeyFile(name, how) }));
    const wallet = await openWallet(config, logger, { share: true });
    let refused = 0;
    try {
      for (const { name, read } of sources) {
        try {
          const { key, format } = await read();
          const { kind } = key;
          const address = key.address();
          await storeKey(wallet, key, { action: 'import', label: config.label });
          terminal.say(formatCoinAddress(address, config.network));
          if (format !== undefined) terminal.warn(`${name}: took a ${kind} key in the form ${format}`);
        } catch (error) {
          if (!isExpected(error)) throw error;
          const problem = error.message.includes(name) ? error.message : `${name}: ${error.message}`;
          // One bad file of a folder does not keep the others out.
          if (sources.length === 1) throw new OperatorError(problem);
          refused += 1;
          terminal.warn(problem);
        }
      }
    } finally {
      await wallet.close();
    }
    if (refused > 0) throw new OperatorError(`${refused} of ${sources.length} keys were not imported`);
  },
});

/** Where a key is read from; the name is for messages. */
interface KeySource {
  readonly name: string;
  read(): Promise<KeyFound>;
}

function isExpected(error: unknown): error is Error {
  return error instanceof CoinKeyError || error instanceof RequestError || error instanceof OperatorError;
}
