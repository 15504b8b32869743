import {
  REMOTE_KEY_TIMEOUT_MS,
  RemoteKeyError,
  type AwsSecrets,
  type AwsSecretsFilter,
  type AwsSecretsSettings,
  type RemoteServices,
} from '@tetrad/remote-keys';
import { mapConcurrently } from '@tetrad/types';
import { fingerprintOf, type KeyEntry, type KeySource, type ScannedEntry } from '../key-entry.js';
import { KeyLoadError } from '../key-load-error.js';
import type { KeySourceParts } from '../key-source-parts.js';
import { keyFromHex } from '../signing-key.js';
import { ListedKeys } from './listed-keys.js';

/** All secrets of an account and region of AWS, each with keys in hex. */
export interface AwsSecretKeys extends Omit<AwsSecretsSettings, 'timeoutMs'> {
  readonly filter: AwsSecretsFilter;
}

export interface AwsSecretKey extends AwsSecretsSettings {
  /** Name or ARN. */
  readonly secretName: string;
}

const SECRETS_AT_A_TIME = 8;
/** Keys of one secret, a line each; web3signer takes as many. */
const MAX_LINES = 200;

/** A key whose hex digits are a secret of AWS Secrets Manager; it is loaded, and signs here. */
export function awsSecretEntry(name: string, settings: AwsSecretKey, services: RemoteServices): KeyEntry {
  const { secretName, ...account } = settings;
  const open = async () => {
    const { service } = services.awsSecrets(account);
    const signal = AbortSignal.timeout(account.timeoutMs);
    const text = await service.read(secretName, signal).catch((error: unknown) => {
      if (error instanceof RemoteKeyError) throw new KeyLoadError(error.message, error.isPassing);
      throw error;
    });
    return keyFromHex(text, `the secret ${secretName}`);
  };
  return { name, fingerprint: fingerprintOf(['aws-secret', JSON.stringify(settings)]), isRemote: true, open };
}

/** web3signer's `--aws-secrets-enabled`. */
export function awsSecretKeys(
  { filter, region, endpoint, credentials }: AwsSecretKeys,
  parts: KeySourceParts,
): KeySource {
  const settings = { region, endpoint, credentials, timeoutMs: REMOTE_KEY_TIMEOUT_MS };
  const { service } = parts.services.awsSecrets(settings);
  const list = async (signal: AbortSignal) => {
    const names = await service.list(filter, signal);
    const read = (name: string) => keysOf(service, name, signal);
    return (await mapConcurrently(names, SECRETS_AT_A_TIME, read)).flat();
  };
  const { name: id } = service;
  return new ListedKeys({ id, check: 'keys-check/aws-bulk-loading', list }, parts.clock);
}

/** Its lines are keys; what is wrong with one secret says nothing about the others. */
async function keysOf(
  service: Pick<AwsSecrets, 'name' | 'read'>,
  secret: string,
  signal: AbortSignal,
): Promise<readonly ScannedEntry[]> {
  const name = `${service.name}, secret ${secret}`;
  try {
    const lines = (await service.read(secret, signal)).split(/[\r\n]+/).filter((line) => line.trim() !== '');
    if (lines.length === 0) return [{ name, fault: 'is empty' }];
    if (lines.length > MAX_LINES) return [{ name, fault: `has more than ${MAX_LINES} lines` }];
    return lines.map((line, index) =>
      lineEntry(lines.length === 1 ? name : `${name}, line ${index + 1}`, line),
    );
  } catch (error) {
    if (!(error instanceof RemoteKeyError)) throw error;
    // A secret that was deleted since it was listed is gone; another fault says nothing about the keys in it.
    if (error.code === 'MISSING') return [];
    if (error.isPassing) throw error;
    return [{ name, fault: error.message }];
  }
}

function lineEntry(name: string, line: string): ScannedEntry {
  try {
    const key = keyFromHex(line, 'the secret');
    const fingerprint = fingerprintOf(['aws-secret-line', line.trim()]);
    return { name, fingerprint, isRemote: false, address: key.address, open: async () => key };
  } catch (error) {
    if (error instanceof KeyLoadError) return { name, fault: error.message };
    throw error;
  }
}
