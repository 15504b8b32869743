import {
  azureKeyName,
  checkVaultLogin,
  gcpKeyVersion,
  PKCS11_SESSIONS,
  REMOTE_KEY_TIMEOUT_MS,
  vaultLoginMembers,
} from '@tetrad/remote-keys';
import { settingsProblem } from '@tetrad/types';
import { z } from 'zod';
import { KeyLoadError } from './key-load-error.js';
import { azureKeyConfig } from './remote/azure-key-config.js';
import { azureVaultMembers, checkAzureCredentials } from './remote/azure-vault-config.js';

/** Members of web3signer's key configurations, as text (docs/spec/signing-proxy.md#keys); unknown ones are ignored. */
const text = z.string().min(1, 'must not be empty');
const flag = z
  .string()
  .regex(/^(?:true|false)$/i, 'must be true or false')
  .transform((value) => value.toLowerCase() === 'true');

function numberUpTo(most: number) {
  const rule = `must be a whole number from 1 to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: rule, abort: true })
    .transform(Number)
    .pipe(z.int().min(1, rule).max(most, rule));
}

const KEY_TYPE =
  'must be SECP256K1; web3signer takes it for BLS when it is left out, and Ethereum accounts have no such keys';
const keyType = z
  .string({ error: KEY_TYPE })
  .transform((type) => type.toUpperCase())
  .pipe(z.literal('SECP256K1', { error: KEY_TYPE }));

const fileRaw = z.object({ type: z.literal('file-raw'), keyType, privateKey: text });
const fileKeystore = z.object({
  type: z.literal('file-keystore'),
  keyType,
  keystoreFile: text,
  keystorePasswordFile: text,
});
const hashicorp = z
  .object({
    type: z.literal('hashicorp'),
    keyType,
    serverHost: text,
    serverPort: numberUpTo(65_535).default(8200),
    keyPath: text,
    keyName: text.default('value'),
    ...vaultLoginMembers,
    /** Of the enterprise edition; ours. */
    namespace: text.optional(),
    timeout: numberUpTo(600_000).default(10_000),
    tlsEnabled: flag.default(false),
    tlsKnownServersPath: text.optional(),
    /** What to try first; a vault speaks both, and we speak the older. */
    httpProtocolVersion: z
      .string()
      .transform((version) => version.toUpperCase())
      .pipe(z.enum(['HTTP_1_1', 'HTTP_2'], 'must be HTTP_1_1 or HTTP_2'))
      .optional(),
  })
  .superRefine(checkVaultLogin);
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const awsMembers = {
  authenticationMode: z
    .enum(['SPECIFIED', 'ENVIRONMENT'], 'must be SPECIFIED or ENVIRONMENT')
    .default('SPECIFIED'),
  region: text,
  accessKeyId: text.optional(),
  secretAccessKey: text.optional(),
  sessionToken: text.optional(),
  endpointOverride: httpUrl.optional(),
};

type AwsMembers = z.output<z.ZodObject<typeof awsMembers>>;

function checkAwsCredentials(
  { authenticationMode, accessKeyId, secretAccessKey }: AwsMembers,
  context: z.RefinementCtx,
): void {
  const missing =
    accessKeyId === undefined ? 'accessKeyId' : secretAccessKey === undefined && 'secretAccessKey';
  if (authenticationMode !== 'SPECIFIED' || missing === false) return;
  const message = 'is required, unless authenticationMode is ENVIRONMENT';
  context.addIssue({ code: 'custom', path: [missing], message });
}

const awsKms = z
  .object({ type: z.literal('aws-kms'), keyType: keyType.optional(), ...awsMembers, kmsKeyId: text })
  .superRefine(checkAwsCredentials);
const awsSecret = z
  .object({ type: z.literal('aws-secret'), keyType, ...awsMembers, secretName: text })
  .superRefine(checkAwsCredentials);
/** Names of secrets are of the same form as those of keys. */
const azureSecret = z
  .object({ type: z.literal('azure-secret'), keyType, ...azureVaultMembers, secretName: azureKeyName })
  .superRefine(checkAzureCredentials);
/** Ours: web3signer has no such type. */
const gcpKms = z.object({
  type: z.literal('gcp-kms'),
  keyType: keyType.optional(),
  keyVersion: gcpKeyVersion,
  credentialsFile: text.optional(),
  endpointOverride: httpUrl.optional(),
  metadataOverride: httpUrl.optional(),
  timeout: numberUpTo(600_000).default(REMOTE_KEY_TIMEOUT_MS),
});
/** Ours: web3signer has no such type. */
const pkcs11 = z.object({
  type: z.literal('pkcs11'),
  keyType,
  library: text,
  slot: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .optional(),
  tokenLabel: text.optional(),
  pinFile: text.optional(),
  keyLabel: text.optional(),
  keyId: text.optional(),
  sessions: numberUpTo(1_000).default(PKCS11_SESSIONS),
  timeout: numberUpTo(600_000).default(REMOTE_KEY_TIMEOUT_MS),
});
const keyConfig = z.discriminatedUnion('type', [
  fileRaw,
  fileKeystore,
  hashicorp,
  awsKms,
  awsSecret,
  azureKeyConfig,
  azureSecret,
  gcpKms,
  pkcs11,
]);

export type KeyConfig = z.output<typeof keyConfig>;
export type HashicorpConfig = z.output<typeof hashicorp>;
export type AwsKmsConfig = z.output<typeof awsKms>;
export type AwsSecretConfig = z.output<typeof awsSecret>;
export type GcpKmsConfig = z.output<typeof gcpKms>;
export type Pkcs11Config = z.output<typeof pkcs11>;

const TYPES: readonly string[] = keyConfig.options.map(({ shape }) => shape.type.value);

/** Known to web3signer, not to us. */
const UNSUPPORTED = ['yubihsm', 'interlock'];

const document = z.record(z.string(), z.unknown());

/** A member of a document is wrong. */
export class MemberError extends KeyLoadError {
  override readonly name = 'MemberError';
  override readonly code = 'KEY_CONFIG';

  constructor(
    readonly member: string,
    problem: string,
  ) {
    super(`${member}: ${problem}`);
  }
}

/**
 * What a document of a key configuration file asks for.
 * @param value - the document, its scalars as text
 * @throws KeyLoadError naming the member that is wrong; it may hold a token or a key, so no value is repeated
 */
export function parseKeyConfig(value: unknown): KeyConfig {
  const outer = document.safeParse(value);
  if (!outer.success) throw new KeyLoadError('is not a mapping');
  // A member without a value is one that is not there.
  const given = Object.fromEntries(Object.entries(outer.data).filter(([, member]) => member !== null));
  assertSupported(given['type']);
  const parsed = keyConfig.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue = { path: [], message: 'is not valid' }] = parsed.error.issues;
  throw new MemberError(String(issue.path[0] ?? ''), settingsProblem(issue));
}

function assertSupported(type: unknown): void {
  if (typeof type === 'string' && TYPES.includes(type)) return;
  const unsupported = UNSUPPORTED.find((one) => one === type);
  if (unsupported !== undefined) throw new MemberError('type', `${unsupported} is not supported`);
  throw new MemberError('type', `must be one of ${TYPES.join(', ')}`);
}
