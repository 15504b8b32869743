import {
  OptionError,
  defineOptions,
  integerOption,
  option,
  secretFileOption,
  textOption,
  type Secret,
} from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import {
  formatCoinAddress,
  type CoinNetwork,
  KEY_KINDS,
  type KeyKind,
  derivationPath,
  generateKey,
  keyFromPhrase,
  type CoinPrivateKey,
} from '@tetrad/wallet-key';
import { passphraseOptions, storageOptions } from '../config.js';
import { openWallet } from '../open-wallet.js';
import { defineCommand } from './define-command.js';
import { labelOption, storeKey } from './store-key.js';

const PHRASE = 'From a phrase';

const phraseOptions = defineOptions({
  fromPhraseFile: option(secretFileOption(), {
    group: PHRASE,
    description:
      'File with the words of a BIP-39 phrase (/dev/stdin reads standard input); by default the key is random.',
  }),
  index: option(integerOption({ min: 0, max: 2 ** 31 - 1 }), {
    group: PHRASE,
    description:
      "Index of the key of the phrase, on the path m/44'/461'/0'/0/INDEX (coin type 1 on the test network).",
  }),
  path: option(textOption('PATH'), {
    group: PHRASE,
    description: 'Derivation path, instead of an index.',
  }),
});

export const newCommand = defineCommand({
  name: 'new',
  usage: `${KEY_KINDS.join('|')} [options]`,
  words: [1, 1],
  summary: 'Makes a key, stores it sealed, and prints its address.',
  options: defineOptions({ ...storageOptions, ...passphraseOptions, ...phraseOptions, ...labelOption }),
  async run({ words, config, terminal, logger }) {
    const kind = parseKind(words[0] ?? '');
    const wallet = await openWallet(config, logger, { share: true });
    try {
      const { key, path } = await makeKey(kind, config);
      const address = key.address();
      await storeKey(wallet, key, { action: 'create', label: config.label, derivationPath: path });
      terminal.say(formatCoinAddress(address, config.network));
    } finally {
      await wallet.close();
    }
  },
});

/** @throws OptionError */
function parseKind(word: string): KeyKind {
  const kind = KEY_KINDS.find((known) => known === word);
  if (kind === undefined) throw new OptionError(word, `must be one of ${KEY_KINDS.join(', ')}`);
  return kind;
}

async function makeKey(
  kind: KeyKind,
  config: {
    readonly fromPhraseFile: Secret | undefined;
    readonly index: number | undefined;
    readonly path: string | undefined;
    readonly network: CoinNetwork;
  },
): Promise<{ key: CoinPrivateKey; path?: string }> {
  const { fromPhraseFile, index, network } = config;
  if (fromPhraseFile === undefined) {
    if (index === undefined && config.path === undefined) return { key: generateKey(kind) };
    throw new OperatorError('--index and --path need --from-phrase-file');
  }
  if (index !== undefined && config.path !== undefined)
    throw new OperatorError('give --index or --path, not both');
  const path = config.path ?? derivationPath(kind, network, index ?? 0);
  return { key: await keyFromPhrase({ kind, phrase: fromPhraseFile.reveal(), path }), path };
}
