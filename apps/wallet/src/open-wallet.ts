import type { Database } from '@tetrad/db';
import { OptionError, variableOf, type Secret } from '@tetrad/service';
import { firstLine, type Logger } from '@tetrad/types';
import {
  openWalletStore,
  type WalletStore,
  SealingError,
  openKeySealer,
  type KeySealer,
} from '@tetrad/wallet-store';
import type { PassphraseConfig, StorageConfig } from './config.js';
import { openDatabase, type OpenOptions } from './database.js';

/** The rows of a wallet; what is in them stays sealed. */
export interface OpenStore {
  readonly database: Database;
  readonly store: WalletStore;
  close(): Promise<void>;
}

/** A wallet whose keys can be used. */
export interface OpenWallet extends OpenStore {
  readonly sealer: KeySealer;
}

/** @throws OperatorError */
export async function openStore(
  config: StorageConfig,
  logger: Logger,
  options: OpenOptions,
): Promise<OpenStore> {
  const opened = await openDatabase(config, logger, options);
  const store = openWalletStore(opened.database);
  return {
    database: opened.database,
    store,
    async close() {
      await store.close();
      await opened.close();
    },
  };
}

/** @throws OperatorError; OptionError when the passphrase is missing or is not the wallet's */
export async function openWallet(
  config: StorageConfig & PassphraseConfig,
  logger: Logger,
  options: OpenOptions,
): Promise<OpenWallet> {
  const passphrase = passphraseOf(config.passphraseFile, 'passphraseFile');
  const opened = await openStore(config, logger, options);
  try {
    return { ...opened, sealer: await openKeySealer(opened.store, passphrase) };
  } catch (error) {
    await opened.close();
    throw error instanceof SealingError ? new OptionError('--passphrase-file', error.message) : error;
  }
}

/**
 * The first line of the file.
 * @throws OptionError when it is empty
 */
export function passphraseOf(file: Secret | undefined, key: 'passphraseFile' | 'newPassphraseFile'): string {
  const flag = key === 'passphraseFile' ? '--passphrase-file' : '--new-passphrase-file';
  if (file === undefined) throw new OptionError(flag, `is required (or ${variableOf('wallet', key)})`);
  const passphrase = firstLine(file.reveal());
  if (passphrase === '') throw new OptionError(flag, 'the passphrase is empty');
  return passphrase;
}
