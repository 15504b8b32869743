import { RemoteKeyError, type RemoteKey } from '@tetrad/remote-keys';
import type { Address } from '@tetrad/types';
import { assertAddress } from '../key-entry.js';
import { KeyLoadError } from '../key-load-error.js';

/** @throws KeyLoadError, transient where the service may give the key with nothing changed */
export async function openRemoteKey(
  open: () => Promise<RemoteKey>,
  expected: Address | undefined,
): Promise<RemoteKey> {
  try {
    const key = await open();
    assertAddress(key, expected);
    return key;
  } catch (error) {
    if (error instanceof RemoteKeyError) throw new KeyLoadError(error.message, error.isPassing);
    throw error;
  }
}
