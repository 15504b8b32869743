import type { Pkcs11KeyName, Pkcs11TokenSettings } from '@tetrad/remote-keys';
import type { Address } from '@tetrad/types';
import { fingerprintOf, type KeyEntry } from '../key-entry.js';
import { KeyLoadError } from '../key-load-error.js';
import { FileError, othersWhoReadKey } from '../read-file.js';
import { openRemoteKey } from './open-remote-key.js';
import type { RemoteServices } from './remote-services.js';

/** Sessions of a token where nothing else is said; most HSMs permit many more. */
export const PKCS11_SESSIONS = 8;
export const PKCS11_TIMEOUT_MS = 10_000;

/** A key of an HSM. */
export interface Pkcs11KeySettings extends Pkcs11TokenSettings {
  readonly key: Pkcs11KeyName;
}

/**
 * A key that signs on a PKCS#11 token.
 *
 * Fails: KeyLoadError when the settings name no token or no key
 */
export function pkcs11Entry(
  name: string,
  settings: Pkcs11KeySettings & { readonly expected?: Address },
  services: RemoteServices,
): KeyEntry {
  const { key, expected, ...token } = settings;
  if (token.slot === undefined && token.tokenLabel === undefined)
    throw new KeyLoadError('the token needs a label or a slot');
  if (key.label === undefined && key.id === undefined)
    throw new KeyLoadError('the key of the token needs a label or an id');
  if (key.id !== undefined && !/^(?:[0-9a-f]{2})+$/i.test(key.id))
    throw new KeyLoadError('the id of the key is not pairs of hex digits');
  return {
    name,
    fingerprint: fingerprintOf(['pkcs11', JSON.stringify(settings)]),
    isRemote: true,
    address: expected,
    caution: cautionOf(token.pinFile),
    open() {
      const { service, gate } = services.token(token);
      return openRemoteKey(() => services.openKey(service.key(key), gate, token.timeoutMs), expected);
    },
  };
}

/** One that cannot be read is a fault of opening the key, which may pass. */
function cautionOf(pinFile: string | undefined): string | undefined {
  try {
    return pinFile === undefined ? undefined : othersWhoReadKey(pinFile);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
