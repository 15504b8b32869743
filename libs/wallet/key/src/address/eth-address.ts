import { addressFromBytes, addressToBytes, scalarFromBytes, type Address } from '@tetrad/types';
import {
  ETH_NAMESPACE,
  MASKED_ID_PREFIX,
  PROTOCOL,
  actorIdOf,
  coinAddressOf,
  delegationOf,
  idAddress,
  isMaskedId,
  type CoinAddress,
} from './coin-address.js';
import { encodeVarint } from './varint.js';

const ETH_ADDRESS_BYTES = 20;

/**
 * The coin network's form of an Ethereum address: protocol 0 for one that masks an actor id, f410f otherwise.
 * @throws RequestError (INVALID_COIN_ADDRESS) for a masked id of 2^63 or more
 */
export function delegatedFromEthAddress(ethAddress: Address): CoinAddress {
  const bytes = addressToBytes(ethAddress);
  if (isMaskedId(bytes)) return idAddress(scalarFromBytes(bytes.subarray(MASKED_ID_PREFIX.length)));
  return coinAddressOf(PROTOCOL.delegated, Buffer.concat([encodeVarint(ETH_NAMESPACE), bytes]));
}

/** The Ethereum form of an f410f address or of an actor id; undefined for addresses that have none. */
export function ethAddressOf(address: CoinAddress): Address | undefined {
  const id = actorIdOf(address);
  if (id !== undefined) {
    const bytes = Buffer.alloc(ETH_ADDRESS_BYTES);
    bytes.set(MASKED_ID_PREFIX);
    bytes.writeBigUInt64BE(id, MASKED_ID_PREFIX.length);
    return addressFromBytes(bytes);
  }
  const delegation = delegationOf(address);
  if (delegation?.namespace !== ETH_NAMESPACE) return undefined;
  return delegation.subAddress.length === ETH_ADDRESS_BYTES
    ? addressFromBytes(delegation.subAddress)
    : undefined;
}
