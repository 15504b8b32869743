import { formatEndpoint, formatEnode } from '../identity/enode.js';
import type { NodeId } from '../identity/node-id.js';
import type { Peer } from '../peers/peer.js';
import type { Address } from '@tetrad/types';
import type { Head } from '../wire/handshake-messages.js';

/** A connected peer, as operators see it. */
export interface PeerInfo {
  readonly nodeId: NodeId;
  /** Address of its node key. */
  readonly address: Address;
  readonly enode: string;
  /** Client name and version that it gave. */
  readonly name: string;
  /** Version of the peer protocol that both sides agreed on. */
  readonly protocol: number;
  readonly direction: 'inbound' | 'outbound';
  /** `host:port` where it is reached. */
  readonly remoteAddress: string;
  readonly isStatic: boolean;
  readonly head: Head | undefined;
  /** Whether it says that its validator has no record of what it signed at the height after its head. */
  readonly isUnrecorded: boolean;
  readonly roundTripMs: number | undefined;
  /** Messages that wait to be sent to it. */
  readonly waitingMessages: number;
  /** It is cut off at 100. */
  readonly penaltyPoints: number;
}

/** Undefined when the peer is not connected. */
export function describePeer(peer: Peer): PeerInfo | undefined {
  const {
    nodeId,
    address,
    endpoint,
    connection,
    name,
    protocol,
    isStatic,
    head,
    isUnrecorded,
    roundTripMs,
    outbox,
    score,
  } = peer;
  if (connection === undefined) return undefined;
  return {
    nodeId,
    address,
    name,
    protocol,
    isStatic,
    head,
    isUnrecorded,
    roundTripMs,
    enode: formatEnode({ nodeId, ...endpoint, discport: 0 }),
    direction: connection.direction,
    remoteAddress: formatEndpoint(endpoint),
    waitingMessages: outbox.messages,
    penaltyPoints: score.points,
  };
}
