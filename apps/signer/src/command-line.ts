import { OptionError } from '@tetrad/service';
import { firstWord, switchesOf } from './command-pieces.js';
import { signerOptions } from './config.js';

/** Names of EthSigner's commands for where keys come from; their options stand behind them. */
const SUBCOMMANDS = ['file-based-signer', 'multikey-signer', 'hashicorp-signer', 'raw-signer'];

/** Known to EthSigner, not to us. */
const UNSUPPORTED = ['azure-signer'];

/** Under which EthSigner looks for variables; ours go before them. */
const ETHSIGNER = 'ETHSIGNER_';
const TETRAD = 'TETRAD_SIGNER_';

/**
 * A command line of EthSigner as one of ours: `hashicorp-signer --host vault` is `--hashicorp-signer-host vault`.
 *
 * Fails: OptionError on a command that is not supported
 */
export function translateArguments(argv: readonly string[]): readonly string[] {
  const { at, value: subcommand = '' } = firstWord(argv, switchesOf(signerOptions)) ?? { at: 0 };
  if (UNSUPPORTED.includes(subcommand)) throw new OptionError(subcommand, 'is not supported');
  if (!SUBCOMMANDS.includes(subcommand)) return argv;
  const behind = argv.slice(at + 1).map((word) => word.replace(/^--(?!help$|version$)/, `--${subcommand}-`));
  return [...argv.slice(0, at), ...behind];
}

/** Variables of EthSigner as ours. */
export function translateEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const translated = Object.entries(environment)
    .filter(([name]) => name.startsWith(ETHSIGNER))
    .map(([name, value]) => [`${TETRAD}${name.slice(ETHSIGNER.length)}`, value] as const);
  return { ...Object.fromEntries(translated), ...environment };
}
