import { BaseError, type Hex } from 'viem';
import type { SignatureParameter } from '../wire/methods.js';
import { fromBase64, toBase64 } from './base64.js';

/** Signature schemes of a coin network, and the number of each on the wire. */
const coinSignatureTypes = { secp256k1: 1, bls: 2, delegated: 3 } as const;

export type CoinSignatureType = keyof typeof coinSignatureTypes;

/** A signature by a key of a coin network. */
export interface CoinSignature {
  readonly type: CoinSignatureType;
  /** 65 bytes with v 0 or 1; 96 bytes for `bls`. */
  readonly data: Hex;
}

/** The signature in its form on the wire. */
export function signatureMembers({ type, data }: CoinSignature): SignatureParameter {
  return { Type: coinSignatureTypes[type], Data: toBase64(data) };
}

/** The signature of an answer. */
export function signatureOf({ Type, Data }: SignatureParameter): CoinSignature {
  const [type] = Object.entries(coinSignatureTypes).find(([, number]) => number === Type) ?? [];
  if (type === undefined)
    throw new BaseError(`The wallet answered with an unknown type of signature: ${Type}.`);
  return { type: type as CoinSignatureType, data: fromBase64(Data) };
}
