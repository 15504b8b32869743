import { addressFromPublicKey, isPublicKey } from '@tetrad/crypto';
import type { Address, Brand } from '@tetrad/types';

/** A node's public key x‖y as 128 lower-case hex digits, the name under which peers know it. */
export type NodeId = Brand<string, 'NodeId'>;

export const NODE_ID_BYTES = 64;

const NODE_ID = /^[0-9a-f]{128}$/;

/**
 * The node id that the text spells.
 * @throws TypeError in the words with which GoQuorum refuses `enode` URLs
 */
export function parseNodeId(text: string): NodeId {
  const lower = text.toLowerCase();
  if (!isNodeIdText(lower)) throw new TypeError(causeOf(text));
  if (!isPublicKey(Buffer.from(lower, 'hex'))) throw new TypeError('invalid secp256k1 public key');
  return lower;
}

/** What Go's hex decoder says of it, or GoQuorum of its length. */
function causeOf(text: string): string {
  const strange = /[^0-9a-fA-F]/u.exec(text)?.[0];
  if (strange !== undefined) {
    const point = (strange.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `encoding/hex: invalid byte: U+${point} '${strange}'`;
  }
  return text.length % 2 === 1 ? 'encoding/hex: odd length hex string' : 'wrong length, want 128 hex chars';
}

/** @throws TypeError when the bytes are not a public key */
export function nodeIdFromBytes(bytes: Uint8Array): NodeId {
  return parseNodeId(Buffer.from(bytes).toString('hex'));
}

/** x (32) ‖ y (32). */
export function nodeIdToBytes(nodeId: NodeId): Uint8Array {
  return Buffer.from(nodeId, 'hex');
}

/** The address of the node's key: what names it among validators. */
export function addressOfNode(nodeId: NodeId): Address {
  return addressFromPublicKey(nodeIdToBytes(nodeId));
}

/** The first 16 digits, enough to distinguish nodes in a log line. */
export function shortNodeId(nodeId: NodeId): string {
  return nodeId.slice(0, 16);
}

function isNodeIdText(text: string): text is NodeId {
  return NODE_ID.test(text);
}
