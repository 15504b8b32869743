import { keccak256 } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { addressFromBytes, addressToBytes, bytesFromScalar, type Address, type PtmKey } from '@tetrad/types';

/** The restricted transactions of one sender in one group. */
export interface Lane {
  readonly sender: Address;
  readonly group: PtmKey;
}

const DOMAIN = new TextEncoder().encode('tetrad private lane');

/**
 * The account of private state whose nonce counts the transactions of the lane (docs/adr/0129).
 *
 * Layout: the last 20 bytes of keccak256("tetrad private lane" (19) ‖ sender (20) ‖ group (32))
 */
export function laneAccount({ sender, group }: Lane): Address {
  const preimage = Buffer.concat([DOMAIN, addressToBytes(sender), groupBytes(group)]);
  return addressFromBytes(keccak256(preimage).subarray(12));
}

/**
 * Where a creation of the lane puts its contract: not where one of the sender's other creations could.
 *
 * Layout: the last 20 bytes of keccak256(rlp[sender (20), nonce, group (32)])
 * Source: Besu, Address.privateContractAddress
 */
export function laneContract({ sender, group }: Lane, nonce: bigint): Address {
  const encoded = encodeRlp([addressToBytes(sender), bytesFromScalar(nonce), groupBytes(group)]);
  return addressFromBytes(keccak256(encoded).subarray(12));
}

function groupBytes(group: PtmKey): Uint8Array {
  return new Uint8Array(Buffer.from(group, 'base64'));
}
