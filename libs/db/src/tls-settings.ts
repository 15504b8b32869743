import { readFile, stat } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import { OperatorError } from '@tetrad/types';
import { DatabaseUnavailableError } from './database-unavailable.js';
import type { DatabaseUrl } from './database-url.js';

/** Accepted values of `sslmode`, and what of the server's certificate is checked. */
const CHECKS = {
  disable: undefined,
  'no-verify': { chain: false, host: false },
  require: { chain: true, host: false },
  'verify-ca': { chain: true, host: false },
  'verify-full': { chain: true, host: true },
} as const;

type SslMode = keyof typeof CHECKS;

const LARGEST_FILE_BYTES = 1_048_576;

/** TLS of the connections to a database, as its URL asks for it. */
export interface TlsSettings {
  readonly mode: SslMode;
  /** Text of `sslrootcert`; undefined for the certificate authorities that Node.js knows. */
  readonly rootFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

/**
 * Reads the parameters as libpq does, with three differences: `allow` and `prefer` are refused since they fall back to
 * plain text, `require` is refused without `sslrootcert` since it then checks nothing, and files without a mode mean
 * `verify-full`.
 * @throws OperatorError that names the parameter
 */
export function tlsSettingsOf(url: DatabaseUrl): TlsSettings {
  const root = url.parameter('sslrootcert');
  const [certFile, keyFile] = [url.parameter('sslcert'), url.parameter('sslkey')];
  const mode = modeOf(
    url,
    [root, certFile, keyFile].some((file) => file !== undefined),
  );
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new OperatorError('the database URL must have both sslcert and sslkey, or neither');
  if (mode === 'disable' && (root ?? certFile) !== undefined)
    throw new OperatorError('the database URL names TLS files, but sslmode=disable');
  if ((mode === 'require' || mode === 'verify-ca') && root === undefined)
    throw new OperatorError(
      `the database URL has sslmode=${mode} without sslrootcert, which does not check the server; use verify-full, or no-verify to accept any certificate`,
    );
  return { mode, rootFile: root === 'system' ? undefined : root, certFile, keyFile };
}

function modeOf(url: DatabaseUrl, hasFiles: boolean): SslMode {
  const flag = url.parameter('ssl');
  if (flag !== undefined && !['true', '1', 'false', '0'].includes(flag))
    throw new OperatorError('the database URL has an ssl that is neither true nor false');
  const isFlagged = flag === 'true' || flag === '1';
  const mode = url.parameter('sslmode') ?? (hasFiles || isFlagged ? 'verify-full' : 'disable');
  if (mode === 'allow' || mode === 'prefer')
    throw new OperatorError(
      `the database URL has sslmode=${mode}, which falls back to plain text; use verify-full, or disable`,
    );
  if (!Object.hasOwn(CHECKS, mode))
    throw new OperatorError(
      `the database URL has an unknown sslmode; known are ${Object.keys(CHECKS).join(', ')}`,
    );
  return mode as SslMode;
}

/**
 * The settings for one connection. Files are read each time, so that replaced certificates apply to new connections.
 * @returns undefined without TLS
 * @throws DatabaseUnavailableError that names the parameter and the file: the file may be replaced
 */
export async function readTls(settings: TlsSettings): Promise<ConnectionOptions | undefined> {
  const checks = CHECKS[settings.mode];
  if (checks === undefined) return undefined;
  const [ca, cert, key] = await Promise.all([
    readPem(settings.rootFile, 'sslrootcert'),
    readPem(settings.certFile, 'sslcert'),
    readPem(settings.keyFile, 'sslkey'),
  ]);
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: checks.chain,
    ...(checks.host ? {} : { checkServerIdentity: () => undefined }),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

async function readPem(file: string | undefined, parameter: string): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    if ((await stat(file)).size > LARGEST_FILE_BYTES) throw new Error('it is larger than 1 MiB');
    return await readFile(file, 'utf8');
  } catch (error) {
    const [reason] = (error as Error).message.split(', ', 1);
    throw new DatabaseUnavailableError(`${parameter} of the database URL: cannot read ${file}: ${reason}`);
  }
}

/** Codes of OpenSSL and Node.js, and what an operator can do about them. */
const CHAIN_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);

/** What was wrong with the TLS of a connection, in words; undefined for any other failure. */
export function tlsFailure(error: unknown, host: string): string | undefined {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (message === 'The server does not support SSL connections')
    return 'the server does not offer TLS, which the sslmode of the database URL requires';
  if (typeof code !== 'string') return undefined;
  if (CHAIN_CODES.has(code))
    return `the certificate of the server is not signed by an accepted authority; check sslrootcert (${code})`;
  if (code === 'CERT_HAS_EXPIRED') return `the certificate of the server has expired (${code})`;
  if (code === 'CERT_NOT_YET_VALID') return `the certificate of the server is not valid yet (${code})`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of the server is not for the host ${host} (${code})`;
  if (/^(ERR_SSL_|ERR_OSSL_|ERR_TLS_|EPROTO)/.test(code)) return `TLS failed: ${String(message)}`;
  return undefined;
}
