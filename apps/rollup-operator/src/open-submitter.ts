import { openKeyFile } from '@tetrad/keystore';
import { submittingKeyOf, type SubmittingKey } from '@tetrad/rollup-batcher';
import { AddressedKeys, RemoteKeyError, isRemoteKeyFile, readRemoteKeyFile } from '@tetrad/remote-keys';
import { OptionError } from '@tetrad/service';
import { OperatorError, RequestError, systemClock, type Address, type Logger } from '@tetrad/types';
import type { ChainConfig } from './chain-options.js';
import { readPassword } from './read-password.js';

/** The key of the account that submits, in memory or in a service. */
export interface Submitter {
  readonly key: SubmittingKey;
  /** Why it cannot sign at present; empty while it can. */
  unavailable(): readonly string[];
  close(): void;
}

type SubmitterConfig = Pick<ChainConfig, 'submitterKeyFile' | 'submitterPasswordFile'>;

/**
 * Opens the key of the account that submits. A service that is away holds nothing up: its signatures fail until it is back.
 * @throws OptionError without a key file or its password; KeystoreError, which names the file; OperatorError for a TOML
 *   file that names no key
 */
export async function openSubmitter(config: SubmitterConfig, logger: Logger): Promise<Submitter> {
  const { submitterKeyFile, submitterPasswordFile } = config;
  if (submitterKeyFile === undefined)
    throw new OptionError('--submitter-key-file', 'is required: the account that submits, the operator');
  if (isRemoteKeyFile(submitterKeyFile)) {
    if (submitterPasswordFile === undefined) return openRemote(submitterKeyFile, logger);
    throw new OptionError('--submitter-password-file', 'is not of a TOML file, but of key files (version 3)');
  }
  if (submitterPasswordFile === undefined)
    throw new OptionError('--submitter-password-file', 'is required with --submitter-key-file');
  const password = await readPassword(submitterPasswordFile);
  const key = submittingKeyOf((await openKeyFile(submitterKeyFile, password)).privateKey);
  return { key, unavailable: () => [], close: () => undefined };
}

async function openRemote(path: string, logger: Logger): Promise<Submitter> {
  const file = await readRemoteKeyFile(path).catch((error: unknown) => {
    throw error instanceof RemoteKeyError ? new OperatorError(error.message, { cause: error }) : error;
  });
  const keys = AddressedKeys.open([file], { clock: systemClock, logger });
  const { address } = file;
  return {
    key: { address, sign: (digest) => signWith(keys, address, digest) },
    unavailable: () => keys.unavailable(),
    close: () => keys.close(),
  };
}

/** @throws OperatorError, which says what the service said: only operators read it */
async function signWith(keys: AddressedKeys, address: Address, digest: Uint8Array) {
  try {
    const signature = await keys.sign(address, digest);
    if (signature !== undefined) return signature;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new OperatorError(keys.unavailable().join('; ') || error.message, { cause: error });
  }
  throw new OperatorError(`there is no key of ${address}`);
}
