import { UsageError } from '@tetrad/devnet/usage-error';
import { readFlags, requireFlag } from './backup-options.js';

/** The claims of the token, and the key that signs it. */
export interface TokenOptions {
  readonly keyFile: string;
  readonly caller: string;
  readonly permissions: readonly string[];
  readonly lifetimeSeconds: number;
  readonly accounts: readonly number[] | undefined;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
}

export const TOKEN_USAGE = `Prints a token with which a caller authenticates to node, signer, rollup operator, wallet or transaction manager: it
is sent as Authorization: Bearer TOKEN. Services verify it with the public key: --auth-jwt-key-file FILE.pub.

  --key-file FILE         private key that signs tokens; made when missing, and its public key FILE.pub with it
  --caller NAME           who calls, as logs and policies name it
  --permissions LIST      methods, or prefixes such as eth_*
  --accounts LIST         accounts of a rollup that it is bound to (default: all)
  --lifetime TIME         how long it is valid, such as 12h or 90d (default: 30d)
  --issuer TEXT           for services with --auth-jwt-issuer
  --audience TEXT         for services with --auth-jwt-audience`;

const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };
const MAX_DAYS = 3_650;

const FLAGS = ['key-file', 'caller', 'permissions', 'accounts', 'lifetime', 'issuer', 'audience'] as const;

/**
 * Reads the command line after `token new`.
 * @throws UsageError naming the option
 */
export function parseTokenOptions(args: readonly string[]): TokenOptions {
  const flags = readFlags(args, FLAGS);
  const permissions = requireFlag(flags.permissions, 'permissions').split(',');
  const bad = permissions.find((name) => !/^(\w+(\.\w+)*[_.]?\*?|\*)$/.test(name));
  if (bad !== undefined)
    throw new UsageError(`--permissions: ${bad} is not a method, or a prefix such as eth_*`);
  return {
    keyFile: requireFlag(flags['key-file'], 'key-file'),
    caller: requireFlag(flags.caller, 'caller'),
    permissions,
    lifetimeSeconds: readLifetime(flags.lifetime ?? '30d'),
    accounts: flags.accounts === undefined ? undefined : readAccounts(flags.accounts),
    issuer: flags.issuer,
    audience: flags.audience,
  };
}

function readAccounts(text: string): number[] {
  return text.split(',').map((id) => {
    if (/^[1-9]\d{0,8}$/.test(id)) return Number(id);
    throw new UsageError(`--accounts: ${id.slice(0, 80)} is not the id of an account`);
  });
}

function readLifetime(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? NaN);
  if (seconds <= MAX_DAYS * 86_400) return seconds;
  throw new UsageError(`--lifetime: ${text} is not a time such as 30m, 12h or 90d, up to ${MAX_DAYS}d`);
}
