import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const LIBRARIES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
];

/** @returns the PKCS#11 library of SoftHSM 2 on this host, or what is missing to use it */
export function locateSoftHsm(): { readonly library: string } | { readonly problem: string } {
  const library = LIBRARIES.find((path) => existsSync(path));
  if (library === undefined || spawnSync('softhsm2-util', ['--version']).status !== 0)
    return { problem: 'SoftHSM 2 is not installed on this host (Debian: apt-get install softhsm2)' };
  try {
    createRequire(import.meta.url)('pkcs11js');
    return { library };
  } catch {
    return { problem: 'the addon of pkcs11js is not built (npm ci, and then .ci/build-pkcs11js)' };
  }
}
