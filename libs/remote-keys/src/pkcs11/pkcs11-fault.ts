import { RemoteKeyError, type RemoteKeyFault } from '../remote-key-error.js';
import type { Pkcs11Fault } from './pkcs11-messages.js';

/** Return values whose meaning differs from "the service failed". Source: PKCS#11 2.40, section 5.1 */
const RETURN_VALUES: Readonly<Record<number, readonly [RemoteKeyFault, string]>> = {
  0x03: ['MISSING', 'there is no such slot'],
  0x32: ['MISSING', 'the token was removed'],
  0xe0: ['MISSING', 'there is no token in the slot'],
  0xe1: ['MISSING', 'the token is not recognized'],
  0xa0: ['LOCKED', 'the PIN is wrong'],
  0xa1: ['LOCKED', 'the PIN has characters that the token does not permit'],
  0xa2: ['LOCKED', 'the PIN is too long or too short'],
  0xa3: ['LOCKED', 'the PIN has expired'],
  0xa4: ['LOCKED', 'the PIN is locked; the security officer has to set it anew'],
  0x102: ['LOCKED', 'the token has no user PIN yet'],
  0x68: ['DENIED', 'the key may not sign (CKA_SIGN)'],
  0x70: ['UNSUPPORTED', 'the token does not know the mechanism CKM_ECDSA'],
  0x71: ['UNSUPPORTED', 'the token does not know the mechanism CKM_ECDSA'],
  0x140: ['UNSUPPORTED', 'the token does not know the curve secp256k1'],
  // Nothing was signed: the token has forgotten what it was asked for.
  0x60: ['UNREACHABLE', 'the key is gone from the session'],
  0x82: ['UNREACHABLE', 'the key is gone from the session'],
  0xb0: ['UNREACHABLE', 'the session was closed'],
  0xb3: ['UNREACHABLE', 'the session was closed'],
  0x101: ['UNREACHABLE', 'the login has ended'],
  0xb1: ['THROTTLED', 'the token has no session left'],
};

/** After these the token may be the same and well. */
const NOT_BROKEN: ReadonlySet<RemoteKeyFault> = new Set(['DENIED', 'UNSUPPORTED', 'THROTTLED']);

/** What came of a call, in words that repeat nothing of what was given to it. */
export function pkcs11FaultOf(error: unknown): Pkcs11Fault {
  if (error instanceof RemoteKeyError) {
    const { code, message } = error;
    return { code, message, isBroken: code !== 'MISSING' && !NOT_BROKEN.has(code) };
  }
  const { code: value, message: name } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof value !== 'number' || value === 0 || typeof name !== 'string')
    return { code: 'FAILED', message: 'the library cannot be loaded or used', isBroken: true };
  const [code, text] = RETURN_VALUES[value] ?? ['FAILED', 'the token failed'];
  const known = /^CKR_\w+$/.test(name) ? name : `CKR 0x${value.toString(16)}`;
  return { code, message: `${text} (${known})`, isBroken: !NOT_BROKEN.has(code) };
}
