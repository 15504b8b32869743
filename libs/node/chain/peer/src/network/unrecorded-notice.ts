import type { Peer } from '../peers/peer.js';
import { encodeUnrecorded } from '../wire/push-message.js';
import type { Connections } from './connections.js';
import type { Messenger } from './messenger.js';

/** Tells peers whether this validator has no record of what it signed after its head. */
export class UnrecordedNotice {
  private isUnrecorded = false;

  constructor(
    private readonly connections: Pick<Connections, 'table'>,
    private readonly messenger: Pick<Messenger, 'send'>,
  ) {}

  /** Tells all connected peers, when it changes. */
  announce(isUnrecorded: boolean): void {
    if (isUnrecorded === this.isUnrecorded) return;
    this.isUnrecorded = isUnrecorded;
    for (const peer of this.connections.table.connected()) this.send(peer);
  }

  /** A peer assumes a record until it gets the notice. */
  onConnected(peer: Peer): void {
    if (this.isUnrecorded) this.send(peer);
  }

  private send(peer: Peer): void {
    this.messenger.send(peer, { kind: 'unrecorded', payload: encodeUnrecorded(this.isUnrecorded) });
  }
}
