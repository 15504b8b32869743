import { encodeRlp } from '@tetrad/rlp';
import { wireFields } from '../wire/wire-fields.js';
import { headFields, readHead, type Head } from '../wire/handshake-messages.js';
import { decodeRefusal, encodeRefusal, type Refusal } from '../wire/refusal.js';

/** The listener's last word in a handshake: sealed, so that nobody else can have said it. */
export type Welcome =
  | { readonly isWelcome: true; readonly head: Head }
  | { readonly isWelcome: false; readonly refusal: Refusal };

/** Layout: RLP([number, hash (32)]) to one who is welcome, a refusal to one who is not. */
export function encodeWelcome(welcome: Welcome): Uint8Array {
  return welcome.isWelcome ? encodeRlp(headFields(welcome.head)) : encodeRefusal(welcome.refusal);
}

/** Anything that is not a head is a refusal. */
export function decodeWelcome(bytes: Uint8Array): Welcome {
  try {
    const fields = wireFields(bytes, 'welcome');
    const head = readHead(fields);
    fields.end();
    return { isWelcome: true, head };
  } catch {
    return { isWelcome: false, refusal: decodeRefusal(bytes) };
  }
}
