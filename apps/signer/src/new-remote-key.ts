import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addressFromPublicKey } from '@tetrad/crypto';
import { AwsKms, Pkcs11Token, RemoteKeyError } from '@tetrad/remote-keys';
import { defineOptions, option, textOption, type ConfigOf } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import { pkcs11Options } from './options/key-options.js';

const AWS = 'Key in AWS KMS';
const AWS_TIMEOUT_MS = 30_000;

/** Where `signer key new` makes keys that stay where they are made. */
export const remoteKeyOptions = defineOptions({
  ...pkcs11Options,
  awsKmsRegion: option(textOption('REGION'), {
    group: AWS,
    description: 'Region; by default the one that the SDK finds.',
  }),
  awsKmsEndpoint: option(textOption('URL'), {
    group: AWS,
    description: 'URL in place of that of the region.',
  }),
});

type RemoteKeyConfig = ConfigOf<typeof remoteKeyOptions>;

/**
 * Makes a key that cannot leave its HSM or service.
 *
 * @returns lines for the operator: the address, and a signer file for it
 * @throws OperatorError
 */
export async function newRemoteKey(source: 'pkcs11' | 'aws-kms', config: RemoteKeyConfig): Promise<string> {
  try {
    return await (source === 'pkcs11' ? newTokenKey(config) : newAwsKey(config));
  } catch (error) {
    throw error instanceof RemoteKeyError ? new OperatorError(error.message) : error;
  }
}

async function newTokenKey(config: RemoteKeyConfig): Promise<string> {
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
    return report(publicKey, 'pkcs11-signer', lines);
  } finally {
    token.close();
  }
}

async function newAwsKey({
  awsKmsRegion: region,
  awsKmsEndpoint: endpoint,
}: RemoteKeyConfig): Promise<string> {
  const kms = new AwsKms({ region, endpoint, timeoutMs: AWS_TIMEOUT_MS });
  try {
    const signal = AbortSignal.timeout(AWS_TIMEOUT_MS);
    const keyId = await kms.generate('Ethereum account of a signer', signal);
    const publicKey = await kms.key(keyId).readPublicKey(signal);
    return report(publicKey, 'aws-kms-signer', [
      ['region', region],
      ['endpoint', endpoint],
      ['key-id', keyId],
    ]);
  } finally {
    kms.close();
  }
}

/** JSON writes texts and numbers as TOML reads them. The public key is for nodes, whose peers know them by it. */
function report(
  publicKey: Uint8Array,
  type: string,
  settings: readonly (readonly [name: string, value: string | number | undefined])[],
): string {
  const address = addressFromPublicKey(publicKey);
  const hex = Buffer.from(publicKey).toString('hex');
  const given = [...settings, ['public-key', hex] as const].filter(([, value]) => value !== undefined);
  return [
    `address        ${address}`,
    `signer file    ${address.slice(2)}.toml:`,
    '[signing]',
    `type = ${JSON.stringify(type)}`,
    ...given.map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ].join('\n');
}
