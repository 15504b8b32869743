import type { BlockGossip } from '../gossip/block-gossip.js';
import type { ConsensusRelay } from '../gossip/consensus-relay.js';
import type { TransactionGossip } from '../gossip/transaction-gossip.js';
import type { InboxHandler } from '../peers/inbox.js';
import type { Peer } from '../peers/peer.js';
import type { ChainSync } from '../sync/chain-sync.js';
import { decodeHead } from '../wire/handshake-messages.js';
import {
  NOTICE_BYTES,
  decodeClock,
  decodeUnrecorded,
  type PushKind,
  type PushMessage,
} from '../wire/push-message.js';
import { WireError } from '../wire/wire-fields.js';
import type { Connections } from './connections.js';

/** Receivers of pushed messages. */
export interface MessageReceivers {
  readonly connections: Connections;
  readonly consensus: ConsensusRelay;
  readonly transactions: TransactionGossip;
  readonly blocks: BlockGossip;
  readonly sync: ChainSync;
}

/** Dispatches the messages of a peer to their receivers, in order, transactions and hashes together. Never fails. */
export function handleMessages(peer: Peer, receivers: MessageReceivers): InboxHandler {
  const guard = async (work: () => Promise<void> | void) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof WireError) {
        receivers.connections.penalise(peer, 'undecodable message', error.message);
      } else {
        receivers.connections.parts.logger.error('peer message could not be handled', { error });
      }
    }
  };
  return async (messages) => {
    for (const message of messages) await guard(() => handleOne(peer, message, receivers));
    const payloadsOf = (kind: PushKind) =>
      messages.filter((message) => message.kind === kind).map(({ payload }) => payload);
    const transactions = payloadsOf('transaction');
    const hashes = payloadsOf('hash');
    if (transactions.length > 0) await guard(() => receivers.transactions.receive(peer, transactions));
    if (hashes.length > 0) await guard(() => receivers.transactions.announced(peer, hashes));
  };
}

function handleOne(
  peer: Peer,
  { kind, payload }: PushMessage,
  { connections, consensus, sync }: MessageReceivers,
): Promise<void> | void {
  switch (kind) {
    case 'leave':
      return connections.leave(peer);
    case 'consensus':
      return consensus.receive(peer, payload);
    case 'block':
      return sync.receive(peer, payload);
    case 'head': {
      const head = decodeHead(payload);
      peer.learnHead(head);
      peer.connection?.known.blocks.add(head.hash);
      return sync.consider();
    }
    case 'unrecorded':
      peer.isUnrecorded = decodeUnrecorded(payload);
      return undefined;
    case 'clock': {
      const nowMs = connections.now();
      peer.clock.note(decodeClock(payload) - nowMs, nowMs);
      return undefined;
    }
    case 'notice':
      return receiveNotice(peer, payload, connections);
    case 'transaction':
    case 'hash':
      // Taken together afterwards.
      return undefined;
  }
}

/** Passes on the hash of a payload; those beyond the peer's rate are dropped, as their senders repeat them. */
function receiveNotice(peer: Peer, payload: Uint8Array, { parts }: Connections): void {
  if (payload.length !== NOTICE_BYTES) throw new WireError('notice: length');
  if (peer.connection?.noticeRate.take() !== true) return;
  parts.ports.notices?.received(Uint8Array.from(payload), peer.nodeId);
}
