import { randomBytes } from 'node:crypto';
import type { SigningKey } from '@tetrad/crypto';
import type { Hash } from '@tetrad/types';
import type { Endpoint } from '../identity/enode.js';
import { nodeIdFromBytes, type NodeId } from '../identity/node-id.js';
import { INSTANCE_BYTES } from '../wire/introduction.js';
import { SPOKEN, type Versions } from './versions.js';

/** This node, as it introduces itself to peers. */
export interface LocalNode {
  /** Its own key, which proves its node id; signs the handshakes that this node begins. */
  readonly key: Pick<SigningKey, 'publicKey' | 'sign'>;
  /** Signs the handshakes that others begin: the same key, with a bound of its own where it is in a service. */
  readonly listenerKey: Pick<SigningKey, 'sign'>;
  readonly nodeId: NodeId;
  /** Random, new with every start. */
  readonly instance: Uint8Array;
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  /** Client name and version, printable ASCII. */
  readonly name: string;
  /** Versions of the protocol that it speaks. */
  readonly versions: Versions;
  /** Where peers reach it; known once the port is open. */
  endpoint(): Endpoint;
}

export function createLocalNode(
  options: Omit<LocalNode, 'nodeId' | 'instance' | 'listenerKey' | 'versions'> &
    Partial<Pick<LocalNode, 'instance' | 'listenerKey' | 'versions'>>,
): LocalNode {
  return {
    instance: randomBytes(INSTANCE_BYTES),
    listenerKey: options.key,
    versions: SPOKEN,
    ...options,
    nodeId: nodeIdFromBytes(options.key.publicKey),
  };
}
