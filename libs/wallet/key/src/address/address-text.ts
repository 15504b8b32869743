import { blake2b32 } from '@tetrad/crypto';
import { addressError } from './address-error.js';
import { decodeBase32, encodeBase32 } from './base32.js';
import {
  MAX_ACTOR_ID,
  MAX_SUB_ADDRESS_BYTES,
  PROTOCOL,
  actorIdOf,
  coinAddressOf,
  delegationOf,
  idAddress,
  parseProtocol,
  type AddressProtocol,
  type CoinAddress,
} from './coin-address.js';
import { encodeVarint } from './varint.js';

export type CoinNetwork = 'main' | 'test';

export interface ParseAddressOptions {
  /** Refuses text of the other network, whose bytes are the same; without it both are read. */
  readonly requireNetwork?: CoinNetwork;
}

const LETTERS: Readonly<Record<CoinNetwork, string>> = { main: 'f', test: 't' };
const NETWORKS: ReadonlyMap<string, CoinNetwork> = new Map([
  ['f', 'main'],
  ['t', 'test'],
]);

const MIN_TEXT = 3;
/** `f4` ‖ 19 digits ‖ `f` ‖ 93 letters for 54 + 4 bytes. */
const MAX_TEXT = 115;
/** Digits of 2^63 - 1. */
const MAX_DIGITS = 19;
const CHECKSUM_BYTES = 4;
const DIGITS = /^[0-9]+$/;

/**
 * Layout of the text: network letter (f or t) ‖ protocol digit ‖ body, which is for
 *   0        the actor id in decimal
 *   1, 2, 3  base32(payload ‖ checksum (4))
 *   4        the namespace in decimal ‖ `f` ‖ base32(sub-address ‖ checksum (4))
 * where checksum = blake2b-32 of protocol (1) ‖ payload. The letter is not covered by it.
 */
export function formatCoinAddress(address: CoinAddress, network: CoinNetwork): string {
  const prefix = `${LETTERS[network]}${address.protocol}`;
  const id = actorIdOf(address);
  if (id !== undefined) return `${prefix}${id}`;
  const checksum = blake2b32(address.toBytes());
  const delegation = delegationOf(address);
  const covered = delegation?.subAddress ?? address.payload();
  const body = encodeBase32(Buffer.concat([covered, checksum]));
  return delegation ? `${prefix}${delegation.namespace}f${body}` : `${prefix}${body}`;
}

/**
 * Reads the text of either network; equal bytes have one text per network, every other is refused.
 * @throws RequestError (INVALID_COIN_ADDRESS), whose rules are checked in the order of go-address: length, network
 *   letter, protocol digit, then the body's letters, length, checksum and canonical form
 */
export function parseCoinAddress(text: string, options: ParseAddressOptions = {}): CoinAddress {
  if (text.length < MIN_TEXT || text.length > MAX_TEXT) throw addressError('invalid address length');
  const network = NETWORKS.get(text.charAt(0));
  if (network === undefined) throw addressError('unknown address network');
  const { requireNetwork } = options;
  if (requireNetwork !== undefined && requireNetwork !== network) {
    const detail = `the address is one of the ${network} network, this is the ${requireNetwork} network`;
    throw addressError('unknown address network', detail);
  }
  const digit = text.charAt(1);
  const protocol = parseProtocol(DIGITS.test(digit) ? Number(digit) : undefined);
  return parseBody(protocol, text.slice(2));
}

function parseBody(protocol: AddressProtocol, body: string): CoinAddress {
  if (protocol === PROTOCOL.id) return idAddress(parseDecimal(body));
  if (protocol !== PROTOCOL.delegated) return parseChecked(protocol, new Uint8Array(0), body);
  const end = body.indexOf('f');
  if (end < 0) throw addressError('invalid address payload');
  return parseChecked(protocol, encodeVarint(parseDecimal(body.slice(0, end))), body.slice(end + 1));
}

function parseDecimal(digits: string): bigint {
  if (digits.length > MAX_DIGITS) throw addressError('invalid address length');
  if (!DIGITS.test(digits)) throw addressError('invalid address payload');
  if (digits.length > 1 && digits.startsWith('0')) throw addressError('invalid encoding');
  const value = BigInt(digits);
  if (value > MAX_ACTOR_ID) throw addressError('invalid address payload');
  return value;
}

/** @param namespace - bytes of the payload that stand outside the base32 part */
function parseChecked(protocol: AddressProtocol, namespace: Uint8Array, body: string): CoinAddress {
  const { bytes, canonical } = decodeBase32(body);
  const end = bytes.length - CHECKSUM_BYTES;
  if (end < 0 || end > MAX_SUB_ADDRESS_BYTES) throw addressError('invalid address length');
  const payload = Buffer.concat([namespace, bytes.subarray(0, end)]);
  const checksum = blake2b32(Uint8Array.of(protocol, ...payload));
  // Before the length: the wire contract says so of an address that lost its end, which is the common mistake.
  if (!checksum.every((byte, at) => byte === bytes[end + at])) throw addressError('invalid address checksum');
  const address = coinAddressOf(protocol, payload);
  if (!canonical) throw addressError('invalid encoding');
  return address;
}
