import { OptionError } from '@tetrad/service';
import { firstWord, piecesOf, switchesOf } from './command-pieces.js';
import { signerOptions } from './config.js';

/** Names of EthSigner's commands for where keys come from; their options stand behind them. */
const SUBCOMMANDS = ['file-based-signer', 'multikey-signer', 'hashicorp-signer', 'raw-signer'];

/** Known to EthSigner, not to us, and what to use. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'azure-signer':
    'is not supported; a signer file with type = "azure-signer" (--multikey-signer-directory) names the key',
};

/** Options of EthSigner and web3signer whose values are secrets, visible to all users of the host → options for files. */
const SECRETS: Readonly<Record<string, string>> = {
  '--raw-signer-key': '--raw-signer-key-file',
  '--key': '--raw-signer-key-file',
  '--downstream-http-proxy-password': '--downstream-http-proxy-password-file',
  '--aws-kms-secret-access-key': '--aws-kms-secret-access-key-file',
  '--azure-client-secret': '--azure-client-secret-file',
};

/** Under which EthSigner looks for variables; ours go before them. */
const ETHSIGNER = 'ETHSIGNER_';
const TETRAD = 'TETRAD_SIGNER_';

/**
 * A command line of EthSigner as one of ours: `hashicorp-signer --host vault` is `--hashicorp-signer-host vault`.
 * @throws OptionError on a command that is not supported, or on an option that would hold a secret
 */
export function translateArguments(argv: readonly string[]): readonly string[] {
  const translated = underOurNames(argv);
  for (const { flag = '' } of piecesOf(translated, switchesOf(signerOptions))) refuseSecret(flag, flag);
  return translated;
}

function underOurNames(argv: readonly string[]): readonly string[] {
  const { at, value: subcommand = '' } = firstWord(argv, switchesOf(signerOptions)) ?? { at: 0 };
  const problem = Object.hasOwn(UNSUPPORTED, subcommand) ? UNSUPPORTED[subcommand] : undefined;
  if (problem !== undefined) throw new OptionError(subcommand, problem);
  if (!SUBCOMMANDS.includes(subcommand)) return argv;
  const behind = argv.slice(at + 1).map((word) => word.replace(/^--(?!help$|version$)/, `--${subcommand}-`));
  return [...argv.slice(0, at), ...behind];
}

/** @throws OptionError that names the option for a file, and repeats no value */
function refuseSecret(flag: string, where: string): void {
  const instead = Object.hasOwn(SECRETS, flag) ? SECRETS[flag] : undefined;
  if (instead === undefined) return;
  throw new OptionError(where, `secrets come from files; write it into one for ${instead}`);
}

/**
 * Variables of EthSigner as ours.
 * @throws OptionError on one that holds a secret
 */
export function translateEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const ours = Object.entries(environment).filter(([name]) => name.startsWith(ETHSIGNER));
  for (const [name] of ours) {
    refuseSecret(`--${name.slice(ETHSIGNER.length).toLowerCase().replaceAll('_', '-')}`, name);
  }
  const translated = ours.map(
    ([name, value]) => [`${TETRAD}${name.slice(ETHSIGNER.length)}`, value] as const,
  );
  return { ...Object.fromEntries(translated), ...environment };
}
