import { dirname, resolve } from 'node:path';
import type { DeriveKey } from '@tetrad/keystore';
import { firstLine } from '@tetrad/types';
import { fingerprintOf, type KeySource } from './key-entry.js';
import { keyFileEntry, type KeyFilePaths } from './key-file-entry.js';
import { KeyLoadError } from './key-load-error.js';
import { oneCaution, othersWhoReadKey, readSmallText } from './read-file.js';
import { keyFromHex } from './signing-key.js';
import { PLAIN_TEXT } from './raw-key-entry.js';
import { vaultEntry } from './vault/vault-entry.js';
import type { VaultTrust } from './vault/vault-trust.js';

/** EthSigner's file-based-signer: one V3 key file. */
export function singleKeyFile(paths: KeyFilePaths, derive: DeriveKey): KeySource {
  const keyFile = resolve(paths.keyFile);
  const passwordFile = resolve(paths.passwordFile);
  return {
    id: `key file ${keyFile}`,
    check: 'keys-check/config-files-loading',
    isSingle: true,
    folders: [...new Set([dirname(keyFile), dirname(passwordFile)])],
    scan: async () => [
      await keyFileEntry({ name: keyFile, keyFile, passwordFile, passwordOf: firstLine, derive }),
    ],
  };
}

/** EthSigner's raw-signer, with the key in a file; EthSigner takes it on the command line, visible to every user. */
export function singleRawKey(file: string): KeySource {
  const keyFile = resolve(file);
  return {
    id: `raw key ${keyFile}`,
    check: 'keys-check/config-files-loading',
    isSingle: true,
    folders: [dirname(keyFile)],
    async scan() {
      const text = await readSmallText(keyFile).catch((error: unknown) => {
        throw new KeyLoadError(`Error when reading the raw key. ${(error as Error).message}`);
      });
      const open = async () => keyFromHex(text, keyFile);
      const caution = oneCaution(PLAIN_TEXT, othersWhoReadKey(keyFile));
      const fingerprint = fingerprintOf(['raw-key', text]);
      return [{ name: keyFile, fingerprint, isRemote: false, caution, open }];
    },
  };
}

/** One key in a HashiCorp Vault; the defaults of EthSigner's hashicorp-signer are the caller's to apply. */
export interface SingleVaultKey {
  readonly host: string;
  readonly port: number;
  /** Path of the secret, `/v1/…/data/…`. */
  readonly path: string;
  /** Member of the secret that holds the key. */
  readonly keyName: string;
  readonly timeoutMs: number;
  /** File whose first line is the token. */
  readonly tokenFile: string;
  readonly namespace?: string | undefined;
  /** Undefined: plain HTTP. */
  readonly trust: VaultTrust | undefined;
}

/** EthSigner's hashicorp-signer. */
export function singleVaultKey(settings: SingleVaultKey): KeySource {
  const tokenFile = resolve(settings.tokenFile);
  const name = `${settings.host}:${settings.port}${settings.path}`;
  return {
    id: `vault key ${name}`,
    check: 'keys-check/config-files-loading',
    isSingle: true,
    folders: [dirname(tokenFile)],
    async scan() {
      const token = firstLine(
        await readSmallText(tokenFile).catch((error: unknown) => {
          throw new KeyLoadError(`Error when reading the token from file. ${(error as Error).message}`);
        }),
      ).trim();
      if (token === '') throw new KeyLoadError(`${tokenFile}: holds no token`);
      const caution = othersWhoReadKey(tokenFile);
      return [{ ...vaultEntry(name, { ...settings, token }), caution }];
    },
  };
}
