import { OptionError } from '@tetrad/service';

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
  const refused = argv.find((word) => UNSUPPORTED.includes(word));
  if (refused !== undefined) throw new OptionError(refused, 'is not supported');
  const at = argv.findIndex((word) => SUBCOMMANDS.includes(word));
  const subcommand = argv[at];
  if (subcommand === undefined) return argv;
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
