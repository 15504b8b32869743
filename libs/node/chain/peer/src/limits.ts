import { MAX_BYTE_BUDGET } from './wire/request-message.js';

const MEGABYTE = 1024 * 1024;

/** Limits on the resources and the time of peers. Sizes in bytes, times in milliseconds. */
export interface PeerLimits {
  /** Connected peers, static ones not counted. */
  readonly maxPeers: number;
  /** Nodes learned from peers, connected or not. */
  readonly maxCandidates: number;
  /** Largest message: a block, and the proposal that carries it. */
  readonly messageBytes: number;
  /** Bodies being received at once, of one peer and of all. */
  readonly inboundBytesPerPeer: number;
  readonly inboundBytes: number;
  /** Messages that were received and wait for their handler, of one peer and priority. */
  readonly inboxMessages: number;
  readonly inboxBytes: number;
  /** Messages that wait to be sent to one peer. */
  readonly outboxMessages: number;
  readonly outboxBytes: number;
  /** Bytes of one push; a larger message goes alone. */
  readonly pushBytes: number;
  /** Bodies of one peer that are worked on at once. */
  readonly concurrentPerPeer: number;
  /** HTTP messages and bytes that one peer may send, sustained; ten seconds of it may come at once. */
  readonly messagesPerSecond: number;
  readonly bytesPerSecond: number;
  /** Notices that one peer may send, each of which asks the transaction manager once; ten seconds of it may come at once. */
  readonly noticesPerSecond: number;
  /** Handshakes of all strangers together, and of all that came by themselves before; two seconds at once. */
  readonly handshakesPerSecond: number;
  /** Handshakes of strangers from one address, and of one known node; ten seconds of it may come at once. */
  readonly handshakesPerSecondPerAddress: number;
  readonly handshakesPerSecondPerKnown: number;
  /** Connections from one address from which no known node came, and from all of those. */
  readonly connectionsPerAddress: number;
  readonly strangerConnections: number;
  /** A body must arrive within this, and a second per so many bytes. */
  readonly bodyGraceMs: number;
  readonly leastBytesPerSecond: number;
  /** Largest message and largest answer on a stream, with what its frame adds; larger ones are posted. */
  readonly streamBytes: number;
  /** A stream that is silent for so long is closed by the side that receives its messages. */
  readonly streamIdleMs: number;
  /** How long messages are posted after a stream could not be opened. */
  readonly streamRetryMs: number;
  readonly connectTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  /** Until a push is taken or a request is answered, besides the time of its bytes. */
  readonly answerTimeoutMs: number;
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  readonly backoffBaseMs: number;
  readonly backoffCapMs: number;
  /** First cut-off of a peer that misbehaves; doubled with each further one. */
  readonly banMs: number;
  readonly banCapMs: number;
  /** Least time between two pushes of gossip to a peer, in which more of it gathers. */
  readonly lingerMs: number;
  /** How long a received transaction waits before it is announced. */
  readonly announceDelayMs: number;
  /** The same for one from a validator, which usually sent it to all peers: longer than a block usually takes. */
  readonly validatorAnnounceDelayMs: number;
  readonly rebroadcastMs: number;
  readonly exchangeMs: number;
  /** How long an announced block may arrive by itself before it is fetched. */
  readonly blockPatienceMs: number;
  /** Transactions pushed whole by the node that they were sent to, to so many peers at least. */
  readonly pushFanout: number;
  readonly syncBlocks: number;
  readonly syncBytes: number;
  /** Ranges that are downloaded before the first of them is imported. */
  readonly syncLookAhead: number;
  /** Questions about the state that wait or are answered, one of a peer; who has more than its share gives way. */
  readonly stateQuestions: number;
  /** Pause before a question about the state is repeated that a busy peer did not take. */
  readonly stateBusyMs: number;
  /** How long a peer that was slow or wrong is not asked for blocks. */
  readonly syncPenaltyMs: number;
  readonly tickMs: number;
  readonly stopMs: number;
}

export const DEFAULT_PEER_LIMITS: PeerLimits = {
  maxPeers: 50,
  maxCandidates: 256,
  messageBytes: 16 * MEGABYTE,
  inboundBytesPerPeer: 36 * MEGABYTE,
  inboundBytes: 256 * MEGABYTE,
  inboxMessages: 8_192,
  inboxBytes: 34 * MEGABYTE,
  outboxMessages: 16_384,
  outboxBytes: 34 * MEGABYTE,
  pushBytes: MEGABYTE,
  concurrentPerPeer: 8,
  messagesPerSecond: 500,
  bytesPerSecond: 32 * MEGABYTE,
  noticesPerSecond: 5,
  handshakesPerSecond: 50,
  handshakesPerSecondPerAddress: 5,
  handshakesPerSecondPerKnown: 2,
  connectionsPerAddress: 64,
  strangerConnections: 256,
  bodyGraceMs: 5_000,
  leastBytesPerSecond: 256 * 1024,
  streamBytes: 64 * 1024,
  streamIdleMs: 65_000,
  streamRetryMs: 60_000,
  connectTimeoutMs: 3_000,
  handshakeTimeoutMs: 5_000,
  answerTimeoutMs: 10_000,
  pingIntervalMs: 3_000,
  pingTimeoutMs: 3_000,
  backoffBaseMs: 250,
  backoffCapMs: 8_000,
  banMs: 60_000,
  banCapMs: 3_600_000,
  lingerMs: 50,
  announceDelayMs: 250,
  validatorAnnounceDelayMs: 1_500,
  rebroadcastMs: 15_000,
  exchangeMs: 30_000,
  blockPatienceMs: 400,
  pushFanout: 8,
  syncBlocks: 64,
  syncBytes: MAX_BYTE_BUDGET / 2,
  syncLookAhead: 3,
  stateQuestions: 8,
  stateBusyMs: 200,
  syncPenaltyMs: 15_000,
  tickMs: 100,
  stopMs: 2_000,
};

/** Time in which that many bytes move at the lowest accepted speed. */
export function movingMs(limits: PeerLimits, bytes: number): number {
  return Math.ceil((bytes / limits.leastBytesPerSecond) * 1_000);
}

/** Time in which a body of that many bytes must arrive. */
export function transferMs(limits: PeerLimits, bytes: number): number {
  return limits.bodyGraceMs + movingMs(limits, bytes);
}
