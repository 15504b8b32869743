import { blake2b160 } from '@tetrad/crypto';
import { addressError } from './address-error.js';
import { decodeVarint, encodeVarint } from './varint.js';

/** Kinds of address, by the byte that begins one. */
export const PROTOCOL = { id: 0, secp256k1: 1, actor: 2, bls: 3, delegated: 4 } as const;
export type AddressProtocol = (typeof PROTOCOL)[keyof typeof PROTOCOL];

/** Highest actor id: 2^63 - 1. */
export const MAX_ACTOR_ID = 2n ** 63n - 1n;
/** Bytes of the part of a delegated address that its namespace gives meaning to. */
export const MAX_SUB_ADDRESS_BYTES = 54;
/** The namespace whose sub-addresses are Ethereum's: actor 10, the Ethereum address manager. */
export const ETH_NAMESPACE = 10n;

const HASH_BYTES = 20;
const BLS_KEY_BYTES = 48;
/** Ethereum addresses that encode an actor id: 0xff ‖ 11 zero bytes ‖ id (8, big-endian). */
export const MASKED_ID_PREFIX = Uint8Array.of(0xff, ...new Uint8Array(11));

/**
 * An address of the coin network. Main and test network share the bytes; only the text distinguishes them.
 *
 * Layout of the bytes, at most 64: protocol (1) ‖ payload, which is for
 *   0 id         actor id (varint, 1..9)
 *   1 secp256k1  blake2b-160 of the public key (20)
 *   2 actor      blake2b-160 (20)
 *   3 bls        public key, G1 compressed (48)
 *   4 delegated  namespace (varint, 1..9) ‖ sub-address (0..54)
 *
 * Source: go-address, address.go.
 */
export class CoinAddress {
  readonly protocol: AddressProtocol;
  /** The bytes in hex: equal for equal addresses and for no others, so a key of maps and rows. */
  readonly key: string;
  private readonly bytes: Uint8Array;

  private constructor(bytes: Uint8Array, protocol: AddressProtocol) {
    this.protocol = protocol;
    this.bytes = bytes;
    this.key = Buffer.from(bytes).toString('hex');
  }

  /** @throws RequestError (INVALID_COIN_ADDRESS) when the bytes have no such layout */
  static fromBytes(bytes: Uint8Array): CoinAddress {
    const own = Uint8Array.from(bytes);
    if (own.length === 0) throw addressError('cannot marshal undefined address');
    if (own.length === 1) throw addressError('invalid address length');
    const protocol = parseProtocol(own[0]);
    PAYLOAD_RULES[protocol](own.subarray(1));
    return new CoinAddress(own, protocol);
  }

  /** A copy of protocol and payload. */
  toBytes(): Uint8Array {
    return this.bytes.slice();
  }

  /** A copy of the bytes after the protocol. */
  payload(): Uint8Array {
    return this.bytes.slice(1);
  }

  equals(other: CoinAddress): boolean {
    return this.key === other.key;
  }
}

/**
 * The address of the bytes.
 * @throws RequestError (INVALID_COIN_ADDRESS)
 */
export function coinAddressFromBytes(bytes: Uint8Array): CoinAddress {
  return CoinAddress.fromBytes(bytes);
}

/**
 * The address of a protocol and its payload.
 * @throws RequestError (INVALID_COIN_ADDRESS)
 */
export function coinAddressOf(protocol: AddressProtocol, payload: Uint8Array): CoinAddress {
  return CoinAddress.fromBytes(Uint8Array.of(protocol, ...payload));
}

/**
 * The address of an actor id.
 * @throws RequestError (INVALID_COIN_ADDRESS) beyond 0 to 2^63 - 1
 */
export function idAddress(id: bigint): CoinAddress {
  if (id < 0n || id > MAX_ACTOR_ID) throw addressError('invalid address payload');
  return coinAddressOf(PROTOCOL.id, encodeVarint(id));
}

/** The actor id of an address of protocol 0, undefined for others. */
export function actorIdOf(address: CoinAddress): bigint | undefined {
  return address.protocol === PROTOCOL.id ? decodeVarint(address.payload())?.value : undefined;
}

/** Namespace and sub-address of a delegated address, undefined for others. */
export function delegationOf(
  address: CoinAddress,
): { readonly namespace: bigint; readonly subAddress: Uint8Array } | undefined {
  if (address.protocol !== PROTOCOL.delegated) return undefined;
  const payload = address.payload();
  const namespace = decodeVarint(payload);
  return namespace && { namespace: namespace.value, subAddress: payload.slice(namespace.length) };
}

/** Whether an Ethereum address encodes an actor id. */
export function isMaskedId(ethAddress: Uint8Array): boolean {
  return ethAddress.length === HASH_BYTES && MASKED_ID_PREFIX.every((byte, at) => ethAddress[at] === byte);
}

/** @throws RequestError for any other number */
export function parseProtocol(value: number | undefined): AddressProtocol {
  switch (value) {
    case PROTOCOL.id:
    case PROTOCOL.secp256k1:
    case PROTOCOL.actor:
    case PROTOCOL.bls:
    case PROTOCOL.delegated:
      return value;
    default:
      throw addressError('unknown address protocol');
  }
}

const PAYLOAD_RULES: Readonly<Record<AddressProtocol, (payload: Uint8Array) => void>> = {
  [PROTOCOL.id](payload) {
    if (decodeVarint(payload)?.length !== payload.length) throw addressError('invalid address payload');
  },
  [PROTOCOL.secp256k1]: (payload) => assertLength(payload, HASH_BYTES),
  [PROTOCOL.actor]: (payload) => assertLength(payload, HASH_BYTES),
  [PROTOCOL.bls]: (payload) => assertLength(payload, BLS_KEY_BYTES),
  [PROTOCOL.delegated](payload) {
    const namespace = decodeVarint(payload);
    if (namespace === undefined) throw addressError('invalid address payload');
    const subAddress = payload.subarray(namespace.length);
    if (subAddress.length > MAX_SUB_ADDRESS_BYTES) throw addressError('invalid address length');
    if (namespace.value === ETH_NAMESPACE && isMaskedId(subAddress)) {
      throw addressError('f410f addresses cannot embed masked-ID payloads');
    }
  },
};

function assertLength(payload: Uint8Array, length: number): void {
  if (payload.length !== length) throw addressError('invalid address length');
}

/**
 * The address of a secp256k1 key.
 * @param publicKey65 - the uncompressed public key, 0x04 (1) ‖ x (32) ‖ y (32)
 */
export function secp256k1Address(publicKey65: Uint8Array): CoinAddress {
  if (publicKey65.length !== 65 || publicKey65[0] !== 4) {
    throw new TypeError('an uncompressed public key has 65 bytes, the first of them 4');
  }
  return coinAddressOf(PROTOCOL.secp256k1, blake2b160(publicKey65));
}

/**
 * The address of a BLS key.
 * @param publicKey48 - the compressed public key, 48 bytes of G1
 */
export function blsAddress(publicKey48: Uint8Array): CoinAddress {
  if (publicKey48.length !== 48) throw new TypeError('a compressed public key has 48 bytes');
  return coinAddressOf(PROTOCOL.bls, publicKey48);
}
