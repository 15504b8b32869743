import type { PtmKey } from '@tetrad/types';
import { PrivacyFlag, type EncodedPayload } from './encoded-payload.js';

/**
 * What one recipient is sent: its own box alone, and its own key, after which come the others where all parties have to
 * know each other.
 * @throws RangeError when the payload has no box for the key
 */
export function copyForRecipient(payload: EncodedPayload, recipient: PtmKey): EncodedPayload {
  const box = payload.recipientBoxes[payload.recipientKeys.indexOf(recipient)];
  if (box === undefined) throw new RangeError(`the payload has no box for ${recipient}`);
  const others = payload.recipientKeys.filter((key) => key !== recipient);
  const shared = payload.privacyFlag === PrivacyFlag.StateValidation ? others : [];
  return { ...payload, recipientBoxes: [box], recipientKeys: [recipient, ...shared] };
}
