import { FileError, readSmallText } from '@tetrad/files';
import { KeystoreError, decryptKeyFile } from '@tetrad/keystore';
import { RemoteKeyError, isSecretFile } from '@tetrad/remote-keys/secrets';
import { isAddress, parseAddress, type Address } from '@tetrad/types';
import { assertAddress, fingerprintOf, type KeyEntry } from './key-entry.js';
import { KeyLoadError } from './key-load-error.js';
import type { KeySourceParts } from './key-source-parts.js';
import { othersWhoReadKey } from './read-file.js';
import { MemoryKey } from './signing-key.js';

/** Where a V3 key file and its password are. */
export interface KeyFilePaths {
  readonly keyFile: string;
  /** Holds the password, or names the secret that is it. */
  readonly passwordFile: string;
}

export interface KeyFileSettings extends KeyFilePaths {
  /** What names the entry. */
  readonly name: string;
  /** Settings that it was read from, for the fingerprint. */
  readonly settings?: string;
  /** Address that the key must have. */
  readonly expected?: Address;
  readonly passwordOf: (content: string) => string;
  readonly parts: Pick<KeySourceParts, 'derive' | 'passwords'>;
}

/** All of it but one line end, as web3signer's bulk loading reads password files, which keeps even that. */
export function withoutLineEnd(content: string): string {
  return content.replace(/\r?\n$/, '');
}

/**
 * Reads both files now and decrypts later, so that the fingerprint covers the bytes that are decrypted; a password in a service is
 * asked for when the key is opened.
 * @throws KeyLoadError in the words of EthSigner (docs/spec/signing-proxy.md#keys)
 */
export async function keyFileEntry(settings: KeyFileSettings): Promise<KeyEntry> {
  const { name, keyFile, passwordFile, expected, parts } = settings;
  const content = await readSmallText(passwordFile).catch((error: unknown) => {
    throw unreadable(error, `Error when reading the password from file. ${passwordFile}`);
  });
  const text = await readSmallText(keyFile).catch((error: unknown) => {
    throw unreadable(error, `Error when reading key file for the file based signer. ${keyFile}`);
  });
  const isNamed = isSecretFile(passwordFile);
  const password = isNamed ? content : settings.passwordOf(content);
  return {
    name,
    fingerprint: fingerprintOf(['key-file', settings.settings ?? '', keyFile, passwordFile, text, password]),
    isRemote: isNamed,
    caution: isNamed ? undefined : othersWhoReadKey(passwordFile),
    address: expected ?? statedAddress(text),
    async open() {
      const given = isNamed ? settings.passwordOf(await secretIn(passwordFile, parts)) : password;
      const plain = await decryptKeyFile(text, given, keyFile, parts.derive).catch((error: unknown) => {
        throw error instanceof KeystoreError ? asLoadError(error, keyFile) : error;
      });
      const key = new MemoryKey(plain.privateKey);
      assertAddress(key, expected);
      return key;
    },
  };
}

/** @throws KeyLoadError, transient where the service may give the password with nothing changed */
async function secretIn(file: string, { passwords }: Pick<KeySourceParts, 'passwords'>): Promise<string> {
  return passwords.read(file).catch((error: unknown) => {
    throw error instanceof RemoteKeyError ? new KeyLoadError(error.message, error.isPassing) : error;
  });
}

/** The address that a key file states, if it is one; opening fails when its key is that of another. */
function statedAddress(text: string): Address | undefined {
  try {
    const { address } = JSON.parse(text) as { readonly address?: unknown };
    const prefixed = `0x${String(address).replace(/^0x/, '')}`;
    return isAddress(prefixed) ? parseAddress(prefixed) : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(error: unknown, text: string): unknown {
  if (!(error instanceof FileError)) return error;
  return new KeyLoadError(
    error.code === 'ENOENT' ? `File not found: ${error.path}` : `${text} (${error.code})`,
  );
}

/** Texts of web3j for what it names; other faults say themselves what is wrong. */
const WEB3J_TEXTS: Partial<Record<KeystoreError['code'], string>> = {
  VERSION: 'Wallet version is not supported',
  CIPHER: 'Wallet cipher is not supported',
  KDF: 'KDF type is not supported',
  PRF: 'Unsupported prf: only hmac-sha256',
  PASSWORD: 'Invalid password provided',
};

function asLoadError(error: KeystoreError, keyFile: string): KeyLoadError {
  const detail = error.message.replace(`${keyFile}: `, '');
  if (error.code === 'FORMAT') {
    return new KeyLoadError(`Error when reading key file for the file based signer. ${keyFile}: ${detail}`);
  }
  const text = WEB3J_TEXTS[error.code] ?? detail;
  return new KeyLoadError(`Error when decrypting key for the file based signer. ${keyFile}: ${text}`);
}
