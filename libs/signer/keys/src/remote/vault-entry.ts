import { VaultError, type VaultRequest, type VaultSessions } from '@tetrad/remote-keys';
import type { Address } from '@tetrad/types';
import { assertAddress, fingerprintOf, type KeyEntry } from '../key-entry.js';
import { KeyLoadError } from '../key-load-error.js';
import { keyFromHex } from '../signing-key.js';

export interface VaultKey extends VaultRequest {
  /** Member of the secret that holds the key, in hex. */
  readonly keyName: string;
  readonly expected?: Address | undefined;
}

/** A key whose hex digits are in a vault. */
export function vaultEntry(name: string, key: VaultKey, sessions: VaultSessions): KeyEntry {
  const { host, port, path, login, namespace, timeoutMs, trust, keyName, expected } = key;
  const request = { host, port, path, login, namespace, timeoutMs, trust };
  return {
    name,
    fingerprint: fingerprintOf(['vault', JSON.stringify({ ...request, keyName, expected })]),
    isRemote: true,
    address: expected,
    async open() {
      const secret = await sessions.read(request).catch((error: unknown) => {
        throw error instanceof VaultError ? new KeyLoadError(error.message, error.isTransient) : error;
      });
      const where = `the member ${keyName} of the vault’s secret`;
      const text = Object.hasOwn(secret, keyName) ? secret[keyName] : undefined;
      if (typeof text !== 'string') throw new KeyLoadError(`${where}: is missing or not text`);
      const opened = keyFromHex(text, where);
      assertAddress(opened, expected);
      return opened;
    },
  };
}
