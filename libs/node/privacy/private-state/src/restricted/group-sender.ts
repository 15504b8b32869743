import { keccak256 } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { addressFromBytes, addressToBytes, bytesFromScalar, type Address, type PtmKey } from '@tetrad/types';

/** A sender in a privacy group. Its restricted transactions in the group have nonces from 0 on. */
export interface GroupSender {
  readonly sender: Address;
  readonly group: PtmKey;
}

/** Part of the hashed layout, so it keeps its first wording. */
const DOMAIN = new TextEncoder().encode('tetrad private lane');

/**
 * The account of private state whose nonce counts the transactions of the sender in the group (docs/adr/0129).
 *
 * Layout: the last 20 bytes of keccak256("tetrad private lane" (19) ‖ sender (20) ‖ group (32))
 */
export function groupNonceAccount({ sender, group }: GroupSender): Address {
  const preimage = Buffer.concat([DOMAIN, addressToBytes(sender), groupBytes(group)]);
  return addressFromBytes(keccak256(preimage).subarray(12));
}

/**
 * Address of the contract of a creation in the group, which no other creation of the sender can have.
 *
 * Layout: the last 20 bytes of keccak256(rlp[sender (20), nonce, group (32)])
 * Source: Besu, Address.privateContractAddress
 */
export function groupContractAddress({ sender, group }: GroupSender, nonce: bigint): Address {
  const encoded = encodeRlp([addressToBytes(sender), bytesFromScalar(nonce), groupBytes(group)]);
  return addressFromBytes(keccak256(encoded).subarray(12));
}

function groupBytes(group: PtmKey): Uint8Array {
  return new Uint8Array(Buffer.from(group, 'base64'));
}
