import { dirname, resolve } from 'node:path';
import { readSmallText } from '@tetrad/files';
import type { VaultRoleLogin, VaultSessions, VaultTrust } from '@tetrad/remote-keys';
import { firstLine } from '@tetrad/types';
import { fingerprintOf, type KeySource } from './key-entry.js';
import { keyFileEntry, type KeyFilePaths } from './key-file-entry.js';
import { KeyLoadError } from './key-load-error.js';
import type { KeySourceParts } from './key-source-parts.js';
import { oneCaution, othersWhoReadKey } from './read-file.js';
import { keyFromHex } from './signing-key.js';
import { PLAIN_TEXT } from './raw-key-entry.js';
import { vaultEntry } from './remote/vault-entry.js';

/** EthSigner's file-based-signer: one V3 key file. */
export function singleKeyFile(
  paths: KeyFilePaths,
  parts: Pick<KeySourceParts, 'derive' | 'passwords'>,
): KeySource {
  const keyFile = resolve(paths.keyFile);
  const passwordFile = resolve(paths.passwordFile);
  return {
    id: `key file ${keyFile}`,
    check: 'keys-check/config-files-loading',
    isSingle: true,
    folders: [...new Set([dirname(keyFile), dirname(passwordFile)])],
    scan: async () => [
      await keyFileEntry({ name: keyFile, keyFile, passwordFile, passwordOf: firstLine, parts }),
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
  /** How the token is got; `tokenFile` has it in its first line. */
  readonly login: { readonly method: 'token'; readonly tokenFile: string } | VaultRoleLogin;
  readonly namespace?: string | undefined;
  /** Undefined: plain HTTP. */
  readonly trust: VaultTrust | undefined;
}

/** EthSigner's hashicorp-signer. */
export function singleVaultKey(settings: SingleVaultKey, sessions: VaultSessions): KeySource {
  const { login, ...secret } = settings;
  const secretFile = resolve(secretFileOf(login));
  const name = `${settings.host}:${settings.port}${settings.path}`;
  return {
    id: `vault key ${name}`,
    check: 'keys-check/config-files-loading',
    isSingle: true,
    folders: [dirname(secretFile)],
    async scan() {
      if (login.method !== 'token') return [vaultEntry(name, { ...secret, login }, sessions)];
      const token = await tokenIn(secretFile);
      const caution = othersWhoReadKey(secretFile);
      return [{ ...vaultEntry(name, { ...secret, login: { method: 'token', token } }, sessions), caution }];
    },
  };
}

function secretFileOf(login: SingleVaultKey['login']): string {
  if (login.method === 'token') return login.tokenFile;
  if (login.method !== 'approle') return login.jwtFile;
  if ('file' in login.secretId) return login.secretId.file;
  throw new TypeError('the options of the signer name a file');
}

/** @throws KeyLoadError */
async function tokenIn(file: string): Promise<string> {
  const text = await readSmallText(file).catch((error: unknown) => {
    throw new KeyLoadError(`Error when reading the token from file. ${(error as Error).message}`);
  });
  const token = firstLine(text).trim();
  if (token === '') throw new KeyLoadError(`${file}: holds no token`);
  return token;
}
