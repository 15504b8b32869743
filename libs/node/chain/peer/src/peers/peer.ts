import type { Address } from '@tetrad/types';
import { addressOfNode, shortNodeId, type NodeId } from '../identity/node-id.js';
import type { Endpoint } from '../identity/enode.js';
import type { Outbox } from '../sending/outbox.js';
import type { Head } from '../wire/handshake-messages.js';
import { INITIAL_SCORE, type PeerScore } from './peer-score.js';
import type { PeerConnection } from './peer-connection.js';
import { PeerClock } from './peer-clock.js';
import { INITIAL_PEER_STATE, nextPeerState, type PeerEvent, type PeerState } from './peer-state.js';

/** A node that this node knows of, connected or not. */
export class Peer {
  readonly address: Address;
  state: PeerState = INITIAL_PEER_STATE;
  /** While connected. */
  connection: PeerConnection | undefined;
  /** Address from which it last proved its key, as `hostKey` returns it; undefined before that. */
  lastAddress: string | undefined;
  /** Newest block that it announced. */
  head: Head | undefined;
  /** Client name that it gave. */
  name = '';
  /** Version of the peer protocol that both sides agreed on last; 0 before that. */
  protocol = 0;
  /** Whether it says that its validator has no record of what it signed at the height after its head. */
  isUnrecorded = false;
  readonly clock = new PeerClock();
  roundTripMs: number | undefined;
  score: PeerScore = INITIAL_SCORE;
  /** Times that it was cut off. */
  bans = 0;
  /** It is not asked for blocks before this. */
  syncBlockedUntilMs = 0;
  /** Times in a row that it was asked for blocks and was late, slow or wrong. */
  syncFaults = 0;

  constructor(
    readonly nodeId: NodeId,
    public endpoint: Endpoint,
    public isStatic: boolean,
    readonly outbox: Outbox,
  ) {
    this.address = addressOfNode(nodeId);
  }

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  get shortId(): string {
    return shortNodeId(this.nodeId);
  }

  apply(event: PeerEvent): void {
    this.state = nextPeerState(this.state, event);
  }

  /** Takes a newer head; an older one that was overtaken on the way is ignored. */
  learnHead(head: Head): void {
    if (this.head === undefined || head.number >= this.head.number) this.head = head;
  }
}
