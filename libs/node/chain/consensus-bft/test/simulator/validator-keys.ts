import { addressFromPrivateKey, encodeSignature65, signDigest } from '@tetrad/crypto';
import type { Address } from '@tetrad/types';

export interface ValidatorKey {
  readonly privateKey: Uint8Array;
  readonly address: Address;
  readonly sign: (digest: Uint8Array) => Uint8Array;
}

/** The key whose scalar is the number: 1, 2, 3… as in the reference's vectors. */
export function validatorKey(scalar: number): ValidatorKey {
  const privateKey = new Uint8Array(32);
  new DataView(privateKey.buffer).setUint32(28, scalar);
  return {
    privateKey,
    address: addressFromPrivateKey(privateKey),
    sign: (digest) => encodeSignature65(signDigest(digest, privateKey)),
  };
}
