import { encodeRlp, type RlpFields } from '@tetrad/rlp';
import { bytesFromScalar, hashToBytes, type Hash } from '@tetrad/types';
import { isHost, type Endpoint } from '../identity/enode.js';
import { NODE_ID_BYTES, nodeIdFromBytes, nodeIdToBytes, type NodeId } from '../identity/node-id.js';
import { wireFields, WireError } from './wire-fields.js';

/** The version whose introductions have no oldest version. */
const UNRANGED = 1;
/** The newest version whose introductions have no fields that are unknown here. */
const LAST_KNOWN = 3;
const MAX_VERSION = 65_535;

export const INSTANCE_BYTES = 16;
export const NONCE_BYTES = 32;
const MAX_HOST_LENGTH = 253;
const MAX_NAME_LENGTH = 128;

/** The introduction of each side of a handshake, bound to its recipient. */
export interface Introduction extends Endpoint {
  /** The newest version of the protocol that its sender speaks. */
  readonly version: number;
  /** The oldest one; the same in an introduction of version 1. */
  readonly oldest: number;
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  readonly nodeId: NodeId;
  /** The recipient. */
  readonly peerId: NodeId;
  /** Random per process, to distinguish two processes with one key. */
  readonly instance: Uint8Array;
  readonly nonce: Uint8Array;
  /** Public key x‖y made for this handshake only. */
  readonly ephemeral: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly timestampMs: number;
  /** Client name and version. */
  readonly name: string;
}

/**
 * Layout: RLP([version, chainId, genesisHash (32), nodeId (64), peerId (64), instance (16), nonce (32),
 * ephemeral (64), timestampMs, host (text), port, name (text), oldest — from version 2 on])
 */
export function encodeIntroduction(one: Introduction): Uint8Array {
  return encodeRlp([
    bytesFromScalar(one.version),
    bytesFromScalar(one.chainId),
    hashToBytes(one.genesisHash),
    nodeIdToBytes(one.nodeId),
    nodeIdToBytes(one.peerId),
    one.instance,
    one.nonce,
    one.ephemeral,
    bytesFromScalar(one.timestampMs),
    Buffer.from(one.host),
    bytesFromScalar(one.port),
    Buffer.from(one.name),
    ...(one.version === UNRANGED ? [] : [bytesFromScalar(one.oldest)]),
  ]);
}

/**
 * Versions after the second may have more fields, which are ignored here.
 * @throws WireError naming the field
 */
export function decodeIntroduction(bytes: Uint8Array): Introduction {
  const fields = wireFields(bytes, 'introduction');
  const version = fields.count('version', MAX_VERSION);
  if (version < UNRANGED) throw new WireError('introduction: version');
  const one = {
    version,
    chainId: fields.scalar('chainId', 32),
    genesisHash: fields.hash('genesisHash'),
    nodeId: readNodeId(fields, 'nodeId'),
    peerId: readNodeId(fields, 'peerId'),
    instance: fields.exactly('instance', INSTANCE_BYTES),
    nonce: fields.exactly('nonce', NONCE_BYTES),
    ephemeral: fields.exactly('ephemeral', 64),
    timestampMs: fields.count('timestampMs'),
    host: readHost(fields),
    port: fields.count('port', 65_535),
    name: fields.text('name', MAX_NAME_LENGTH),
    oldest: version === UNRANGED ? UNRANGED : fields.count('oldest', version),
  };
  if (version <= LAST_KNOWN) fields.end();
  return one;
}

/** The version that the bytes begin with, for a clear rejection of others. */
export function versionOf(bytes: Uint8Array): number | undefined {
  try {
    return wireFields(bytes, 'introduction').count('version', MAX_VERSION);
  } catch {
    return undefined;
  }
}

function readNodeId(fields: RlpFields, field: string): NodeId {
  const bytes = fields.exactly(field, NODE_ID_BYTES);
  try {
    return nodeIdFromBytes(bytes);
  } catch {
    throw new WireError(`introduction: ${field}`);
  }
}

function readHost(fields: RlpFields): string {
  const host = fields.text('host', MAX_HOST_LENGTH);
  if (!isHost(host)) throw new WireError('introduction: host');
  return host;
}
