import { FileError } from '@tetrad/files';
import { pkcs11NameProblem, type Pkcs11KeySettings, type RemoteServices } from '@tetrad/remote-keys';
import type { Address } from '@tetrad/types';
import { fingerprintOf, type KeyEntry } from '../key-entry.js';
import { KeyLoadError } from '../key-load-error.js';
import { othersWhoReadKey } from '../read-file.js';
import { openRemoteKey } from './open-remote-key.js';

/**
 * A key that signs on a PKCS#11 token.
 * @throws KeyLoadError when the settings name no token or no key
 */
export function pkcs11Entry(
  name: string,
  settings: Pkcs11KeySettings & { readonly expected?: Address },
  services: RemoteServices,
): KeyEntry {
  const { expected, ...named } = settings;
  const problem = pkcs11NameProblem(named);
  if (problem !== undefined) throw new KeyLoadError(problem);
  return {
    name,
    fingerprint: fingerprintOf(['pkcs11', JSON.stringify(settings)]),
    isRemote: true,
    address: expected,
    caution: cautionOf(named.pinFile),
    open: () => openRemoteKey(() => services.open({ ...named, kind: 'pkcs11' }), expected),
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
