import { PROTOCOL, type AddressProtocol } from '../address/coin-address.js';

/** Kinds of keys, as key files name them; each signs with one scheme. */
export const KEY_KINDS = ['secp256k1', 'bls', 'delegated'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The scheme that a key of the kind signs with. */
export function signatureTypeOf(kind: KeyKind): SignatureType {
  return SIGNATURE_TYPE[kind];
}

/** Schemes, by the number that names one in JSON and begins the binary form. */
export const SIGNATURE_TYPE = { secp256k1: 1, bls: 2, delegated: 3 } as const;
export type SignatureType = (typeof SIGNATURE_TYPE)[keyof typeof SIGNATURE_TYPE];

/** A signature as its maker's scheme writes it; a type read from outside may be any number. */
export interface CoinSignature {
  readonly type: number;
  readonly data: Uint8Array;
}

/** Bytes of the binary form; longer ones no reader takes. */
const MAX_SIGNATURE_BYTES = 200;

/** The protocol of the addresses whose keys sign with the type; undefined for a type that does not exist. */
export function protocolOfSignatureType(type: number): AddressProtocol | undefined {
  switch (type) {
    case SIGNATURE_TYPE.secp256k1:
      return PROTOCOL.secp256k1;
    case SIGNATURE_TYPE.bls:
      return PROTOCOL.bls;
    case SIGNATURE_TYPE.delegated:
      return PROTOCOL.delegated;
    default:
      return undefined;
  }
}

/**
 * Layout: type (1) ‖ data, at most 200 bytes.
 * @throws RangeError beyond them
 */
export function encodeSignature({ type, data }: CoinSignature): Uint8Array {
  if (!Number.isInteger(type) || type < 0 || type > 255) {
    throw new RangeError('signature type: must fit into one byte');
  }
  if (data.length >= MAX_SIGNATURE_BYTES) throw new RangeError('signature data: must have at most 199 bytes');
  return Uint8Array.of(type, ...data);
}
