import { encodeRlp } from '@tetrad/rlp';
import { wireFields } from '../wire/wire-fields.js';
import { headFields, readHead, type Head } from '../wire/handshake-messages.js';
import { decodeRejection, encodeRejection, type Rejection } from '../wire/rejection.js';

/** The last message of a handshake, from the listener: sealed with the session key, which authenticates it. */
export type Welcome =
  | { readonly isWelcome: true; readonly head: Head }
  | { readonly isWelcome: false; readonly rejection: Rejection };

/** Layout: RLP([number, hash (32)]) for an admitted node, a rejection otherwise. */
export function encodeWelcome(welcome: Welcome): Uint8Array {
  return welcome.isWelcome ? encodeRlp(headFields(welcome.head)) : encodeRejection(welcome.rejection);
}

/** Anything that is not a head is a rejection. */
export function decodeWelcome(bytes: Uint8Array): Welcome {
  try {
    const fields = wireFields(bytes, 'welcome');
    const head = readHead(fields);
    fields.end();
    return { isWelcome: true, head };
  } catch {
    return { isWelcome: false, rejection: decodeRejection(bytes) };
  }
}
