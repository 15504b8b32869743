import {
  isAddress,
  parseAddress,
  settingsProblem,
  tomlLine,
  withoutByteOrderMark,
  type Address,
} from '@tetrad/types';
import { TomlError, parse } from 'smol-toml';
import { z } from 'zod';
import { KeyLoadError } from './key-load-error.js';
import { AWS_KMS_TIMEOUT_MS } from './remote/aws-kms-entry.js';
import { PKCS11_SESSIONS, PKCS11_TIMEOUT_MS } from './remote/pkcs11-entry.js';

/** `[signing]` of a TOML signer file (signing-proxy.md, section 12); unknown keys are ignored, as there. */
const text = z.string().min(1, 'must not be empty');
const fileBased = z.object({
  type: z.literal('file-based-signer'),
  'key-file': text,
  'password-file': text,
});
const hashicorp = z.object({
  type: z.literal('hashicorp-signer'),
  keyPath: text,
  keyName: text.default('value'),
  token: text,
  /** Of the enterprise edition; ours. */
  namespace: text.optional(),
  serverHost: text,
  serverPort: z.int().min(1).max(65_535).default(8200),
  timeout: z.int().min(1).max(600_000).default(10_000),
  tlsEnable: z.boolean().default(true),
  tlsTrustStoreType: z
    .string()
    .transform((type) => type.toUpperCase())
    .pipe(z.enum(['PEM', 'PKCS12', 'JKS', 'WHITELIST', 'ALLOWLIST']))
    .optional(),
  tlsTrustStorePath: text.optional(),
  tlsTrustStorePassword: z.string().optional(),
});
const pkcs11 = z.object({
  type: z.literal('pkcs11-signer'),
  library: text,
  slot: z.int().min(0).optional(),
  'token-label': text.optional(),
  'pin-file': text.optional(),
  'key-label': text.optional(),
  'key-id': text.optional(),
  sessions: z.int().min(1).max(1_000).default(PKCS11_SESSIONS),
  timeout: z.int().min(1).max(600_000).default(PKCS11_TIMEOUT_MS),
});
const awsKms = z.object({
  type: z.literal('aws-kms-signer'),
  /** As the SDK finds it, when it is left out; credentials are always found by the SDK. */
  region: text.optional(),
  endpoint: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  'key-id': text,
  timeout: z.int().min(1).max(600_000).default(AWS_KMS_TIMEOUT_MS),
});
const raw = z.object({ type: z.literal('raw-signer'), 'priv-key': text });
const signing = z.discriminatedUnion('type', [fileBased, hashicorp, awsKms, pkcs11, raw]);

export type SignerFile = z.output<typeof signing>;
export type HashicorpSigner = z.output<typeof hashicorp>;
export type Pkcs11Signer = z.output<typeof pkcs11>;

const document = z.object({ signing: z.looseObject({ type: z.string() }) });

const TYPES: readonly string[] = signing.options.map(({ shape }) => shape.type.value);

/** Known to EthSigner, not to us. */
const UNSUPPORTED = new Set(['azure-signer']);

/**
 * What a signer file asks for.
 *
 * Fails: KeyLoadError naming the key that is wrong; the file may hold a token or a key, so no value is repeated
 */
export function parseSignerFile(toml: string): SignerFile {
  const outer = document.safeParse(parseToml(toml));
  if (!outer.success) throw faultAt(outer.error, toml);
  const { type } = outer.data.signing;
  const at = where(toml, ['signing', 'type']);
  if (UNSUPPORTED.has(type)) throw new KeyLoadError(`signing.type: ${type} is not supported${at}`);
  if (!TYPES.includes(type)) throw new KeyLoadError(`signing.type: must be one of ${TYPES.join(', ')}${at}`);
  const inner = signing.safeParse(outer.data.signing);
  if (!inner.success) throw faultAt(inner.error, toml, 'signing');
  return inner.data;
}

function parseToml(toml: string): unknown {
  try {
    return parse(withoutByteOrderMark(toml));
  } catch (error) {
    // The error's own text shows the line.
    throw new KeyLoadError(`is not TOML${error instanceof TomlError ? ` (line ${error.line})` : ''}`);
  }
}

function faultAt(error: z.ZodError, toml: string, parent?: string): KeyLoadError {
  const [issue = { path: [], message: 'is not valid' }] = error.issues;
  const path = [...(parent === undefined ? [] : [parent]), ...issue.path];
  return new KeyLoadError(`${path.join('.')}: ${settingsProblem(issue)}${where(toml, path)}`);
}

function where(toml: string, path: readonly PropertyKey[]): string {
  const line = tomlLine(toml, path);
  return line === undefined ? '' : ` (line ${line})`;
}

const FILE_NAME = /([0-9a-f]{40})\.toml$/;

/** The lower-case address that a signer file's name ends with, whatever is before it. */
export function addressOfFileName(name: string): Address | undefined {
  const address = `0x${FILE_NAME.exec(name)?.[1] ?? ''}`;
  return isAddress(address) ? parseAddress(address) : undefined;
}
