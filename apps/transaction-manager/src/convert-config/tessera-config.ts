import { OperatorError, withoutByteOrderMark } from '@tetrad/types';
import { z } from 'zod';
import { repeatedMembers } from './repeated-members.js';
import { unknownMembers } from './unknown-members.js';

/** Lengths of texts and lists in a configuration, far above what any has. */
const text = z.string().max(4_096);
const texts = z.array(text).max(1_000);
/** Tessera reads booleans and numbers in quotes as well. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);
const port = z.coerce.number().int().min(1).max(65_535);

const sslConfig = z.looseObject({
  tls: text.default('OFF'),
  serverTlsCertificatePath: text.optional(),
  serverTlsKeyPath: text.optional(),
  serverTrustCertificates: texts.optional(),
  clientTlsCertificatePath: text.optional(),
  clientTlsKeyPath: text.optional(),
});

const serverSocket = z.looseObject({
  type: text.optional(),
  hostName: text.optional(),
  port: port.optional(),
  path: text.optional(),
});

const serverConfig = z.looseObject({
  app: text,
  enabled: flag.default(true),
  serverAddress: text.optional(),
  bindingAddress: text.optional(),
  communicationType: text.optional(),
  serverSocket: serverSocket.optional(),
  sslConfig: sslConfig.optional(),
  cors: z.unknown().optional(),
});

const keyData = z.looseObject({
  privateKey: text.optional(),
  publicKey: text.optional(),
  privateKeyPath: text.optional(),
  publicKeyPath: text.optional(),
  /** The content of a key file, which is read as one. */
  config: z.record(z.string(), z.unknown()).optional(),
  azureVaultPrivateKeyId: text.optional(),
  azureVaultPrivateKeyVersion: text.optional(),
  azureVaultPublicKeyId: text.optional(),
  azureVaultPublicKeyVersion: text.optional(),
  hashicorpVaultSecretEngineName: text.optional(),
  hashicorpVaultSecretName: text.optional(),
  hashicorpVaultSecretVersion: z.coerce.number().int().min(0).optional(),
  hashicorpVaultPrivateKeyId: text.optional(),
  hashicorpVaultPublicKeyId: text.optional(),
  awsSecretsManagerPrivateKeyId: text.optional(),
  awsSecretsManagerPublicKeyId: text.optional(),
});

/** Properties of all kinds of vaults. Source: Consensys/doc.tessera, "Key vault configuration" */
const vaultProperties = z.looseObject({
  url: text.optional(),
  endpoint: text.optional(),
  approlePath: text.optional(),
  tlsKeyStorePath: text.optional(),
  tlsTrustStorePath: text.optional(),
});

const keyVaultConfig = z.looseObject({
  /** Both names are in the documentation of Tessera. */
  keyVaultType: text.optional(),
  keyVaultConfigType: text.optional(),
  properties: vaultProperties.optional(),
});

const members = {
  useWhiteList: flag.optional(),
  disablePeerDiscovery: flag.optional(),
  unixSocketFile: text.optional(),
  mode: text.optional(),
  jdbc: z.looseObject({ url: text.optional(), username: text.optional() }).optional(),
  server: z
    .looseObject({
      hostName: text,
      port: port.optional(),
      bindingAddress: text.optional(),
      sslConfig: sslConfig.optional(),
    })
    .optional(),
  serverConfigs: z.array(serverConfig).max(20).optional(),
  peer: z
    .array(z.looseObject({ url: text }))
    .max(10_000)
    .optional(),
  keys: z.looseObject({
    keyData: z.array(keyData).min(1).max(1_000),
    passwords: texts.nullish(),
    passwordFile: text.optional(),
    keyVaultConfigs: z.array(keyVaultConfig).max(20).optional(),
    /** Of versions before 0.10.3. */
    azureKeyVaultConfig: vaultProperties.optional(),
    hashicorpKeyVaultConfig: vaultProperties.optional(),
  }),
  alwaysSendTo: texts.optional(),
  features: z
    .looseObject({
      enableRemoteKeyValidation: flag.optional(),
      enablePrivacyEnhancements: flag.optional(),
      enableMultiplePrivateStates: flag.optional(),
    })
    .optional(),
  residentGroups: z
    .array(z.looseObject({ name: text, description: text.optional(), members: texts }))
    .max(1_000)
    .optional(),
  encryptor: z.looseObject({ type: text }).optional(),
};

const schema = z.looseObject(members);

/** The configuration file of a Tessera, of 0.8 (`server`) or later (`serverConfigs`). */
export type TesseraConfig = z.infer<typeof schema>;
export type TesseraServer = z.infer<typeof serverConfig>;
export type TesseraKeyData = z.infer<typeof keyData>;
export type TesseraVault = z.infer<typeof vaultProperties>;
export type TesseraSsl = z.infer<typeof sslConfig>;

/** A configuration, and the members of its file that are not in it. */
export interface TesseraFile {
  readonly config: TesseraConfig;
  /** Paths of members that this program does not know. */
  readonly unknown: readonly string[];
  /** Paths of members that are in their object more than once; the last one is in the configuration. */
  readonly repeated: readonly string[];
}

/** @throws OperatorError that names the file, and the member that is wrong */
export function parseTesseraConfig(json: string, path: string): TesseraFile {
  let value: unknown;
  try {
    value = JSON.parse(withoutByteOrderMark(json));
  } catch (error) {
    throw new OperatorError(`${path}: is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success)
    return { config: parsed.data, unknown: unknownMembers(value, schema), repeated: repeatedMembers(json) };
  const [issue] = parsed.error.issues;
  throw new OperatorError(`${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'is wrong'}`);
}
