import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AwsKms, Pkcs11Token, RemoteKeyError } from '@tetrad/remote-keys';
import { defineOptions, option, textOption, type ConfigOf } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import { cloudKeyOptions, newAzureKey, newGoogleKey } from './new-cloud-key.js';
import { reportNewKey, type NewRemoteKey } from './new-key-report.js';
import { pkcs11Options } from './options/key-options.js';

const AWS = 'Key in AWS KMS';
const AWS_TIMEOUT_MS = 30_000;

/** Where `signer key new` makes keys that stay where they are made. */
export const remoteKeyOptions = defineOptions({
  ...pkcs11Options,
  ...cloudKeyOptions,
  awsKmsRegion: option(textOption('REGION'), {
    group: AWS,
    description: 'Region; by default the one that the SDK finds.',
  }),
  awsKmsEndpoint: option(textOption('URL'), {
    group: AWS,
    description: 'URL in place of that of the region.',
  }),
});

/** Services in which a key is made. */
export type RemoteSource = 'pkcs11' | 'aws-kms' | 'azure' | 'gcp-kms';
type RemoteKeyConfig = ConfigOf<typeof remoteKeyOptions>;

/**
 * Makes a key that cannot leave its HSM or service.
 *
 * @returns lines for the operator: the address, and a signer file for it
 * @throws OperatorError
 */
export async function newRemoteKey(source: RemoteSource, config: RemoteKeyConfig): Promise<string> {
  try {
    return reportNewKey(await MAKERS[source](config));
  } catch (error) {
    throw error instanceof RemoteKeyError ? new OperatorError(error.message) : error;
  }
}

const MAKERS: Readonly<Record<RemoteSource, (config: RemoteKeyConfig) => Promise<NewRemoteKey>>> = {
  pkcs11: newTokenKey,
  'aws-kms': newAwsKey,
  azure: newAzureKey,
  'gcp-kms': newGoogleKey,
};

async function newTokenKey(config: RemoteKeyConfig): Promise<NewRemoteKey> {
  const { pkcs11Library: library, pkcs11TokenLabel: tokenLabel, pkcs11Slot: slot } = config;
  const { pkcs11PinFile, pkcs11KeyLabel: label, pkcs11Timeout: timeoutMs } = config;
  if (library === undefined || (tokenLabel === undefined && slot === undefined) || label === undefined) {
    const needed = '--pkcs11-library, --pkcs11-token-label or --pkcs11-slot, --pkcs11-key-label';
    throw new OperatorError(`Missing required option(s): --source pkcs11 needs ${needed}`);
  }
  const pinFile = pkcs11PinFile === undefined ? undefined : resolve(pkcs11PinFile);
  const key = { label, id: config.pkcs11KeyId ?? randomBytes(8).toString('hex') };
  const token = new Pkcs11Token(
    { library, tokenLabel, slot, pinFile, sessions: 1, timeoutMs },
    { clock: systemClock, readText: (path) => readFile(path, 'utf8') },
  );
  try {
    const publicKey = await token.generate(key);
    const lines = [
      ['library', library],
      ['token-label', tokenLabel],
      ['slot', slot],
      ['pin-file', pinFile],
      ['key-label', label],
      ['key-id', key.id],
    ] as const;
    return { publicKey, type: 'pkcs11-signer', settings: lines };
  } finally {
    token.close();
  }
}

async function newAwsKey({
  awsKmsRegion: region,
  awsKmsEndpoint: endpoint,
}: RemoteKeyConfig): Promise<NewRemoteKey> {
  const kms = new AwsKms({ region, endpoint, timeoutMs: AWS_TIMEOUT_MS });
  try {
    const signal = AbortSignal.timeout(AWS_TIMEOUT_MS);
    const keyId = await kms.generate('Ethereum account of a signer', signal);
    const publicKey = await kms.key(keyId).readPublicKey(signal);
    const settings = [
      ['region', region] as const,
      ['endpoint', endpoint] as const,
      ['key-id', keyId] as const,
    ];
    return { publicKey, type: 'aws-kms-signer', settings };
  } finally {
    kms.close();
  }
}
