import type { PtmKey } from '@tetrad/types';
import { Enclave } from '../src/enclave/enclave.js';
import { generateKeyPair } from '../src/keys/key-pair.js';
import { KeyRing } from '../src/keys/key-ring.js';
import { PrivacyFlag, type EncodedPayload } from '../src/payload/encoded-payload.js';

const SENDER = new Enclave(new KeyRing([generateKeyPair()]));

/** Another payload each time, of one sender for the key. */
export function payloadFor(key: PtmKey): EncodedPayload {
  const sealed = SENDER.seal(SENDER.ring.first, Buffer.from('payload'));
  return {
    sender: sealed.sender,
    cipherText: sealed.cipherText,
    cipherTextNonce: sealed.nonce,
    ...SENDER.box(sealed, [key]),
    privacyFlag: PrivacyFlag.Standard,
    affected: [],
    execHash: new Uint8Array(),
    mandatoryRecipients: [],
    privacyGroupId: undefined,
  };
}
