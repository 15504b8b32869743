import { OperatorError } from '@tetrad/types';

/** The service cannot start with these options; the process ends with code 1. */
export class StartupError extends OperatorError {
  override readonly name = 'StartupError';
  override readonly code = 'STARTUP';
}

/** A flag, environment variable or configuration key is unknown or has a bad value; the process ends with code 2. */
export class OptionError extends OperatorError {
  override readonly name = 'OptionError';
  override readonly code = 'INVALID_OPTION';

  constructor(
    /** The option as the operator wrote it: `--http-listen-port`, `TETRAD_NODE_…`, or the key in the file. */
    readonly key: string,
    problem: string,
  ) {
    super(`${key}: ${problem}`);
  }
}

/** One line about an error of the operating system or of a library, for messages to the operator. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { message, code } = (error ?? {}) as { readonly message?: unknown; readonly code?: unknown };
  const known = typeof code === 'string' ? KNOWN_REASONS[code] : undefined;
  if (known !== undefined) return known;
  const line = (typeof message === 'string' ? message : String(error)).split('\n')[0] ?? '';
  return withoutOpensslNumbers(line);
}

/** Texts for error codes of Node and OpenSSL. */
const KNOWN_REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder, not a file',
  ERR_OSSL_PEM_NO_START_LINE: 'it holds no PEM block of that kind',
  ERR_OSSL_PEM_BAD_END_LINE: 'its PEM block has no end',
  ERR_OSSL_PEM_BAD_BASE64_DECODE: 'its PEM block is not base64',
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'the private key is not that of the certificate',
  ERR_OSSL_X509_KEY_TYPE_MISMATCH: 'the private key is of another kind than that of the certificate',
  ERR_OSSL_UNSUPPORTED: 'it is in no form that is known here',
  ERR_OSSL_BAD_PASSWORD_READ: 'it is encrypted, and no password is given',
  ERR_OSSL_PKCS12_MAC_VERIFY_FAILURE: 'the password is wrong',
};

/** `error:0480006C:PEM routines::no start line` → `no start line` */
function withoutOpensslNumbers(line: string): string {
  return line.replace(/^error:[0-9A-Fa-f]{8}:[^:]*:[^:]*:/, '');
}
