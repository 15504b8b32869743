import { dirname } from 'node:path';
import type { Pkcs11KeySettings, RemoteServices } from '@tetrad/remote-keys';
import type { KeySource } from '../key-entry.js';
import { pkcs11Entry } from './pkcs11-entry.js';

/** One key of an HSM. */
export function pkcs11Key(settings: Pkcs11KeySettings, services: RemoteServices): KeySource {
  const { key, pinFile, tokenLabel, slot } = settings;
  const name = `PKCS#11 token ${tokenLabel ?? slot}, key ${key.label ?? key.id}`;
  return {
    id: name,
    check: 'keys-check/config-files-loading',
    isSingle: true,
    folders: pinFile === undefined ? [] : [dirname(pinFile)],
    scan: async () => [pkcs11Entry(name, settings, services)],
  };
}
