import { keccakHash } from '@tetrad/crypto';
import { writeTraceHeaders, type TraceParent } from '@tetrad/types';
import { formatEndpoint, type Endpoint } from '../identity/enode.js';
import type { Peer } from '../peers/peer.js';
import type { PeerConnection } from '../peers/peer-connection.js';
import type { Stopwatch } from '../peers/stopwatch.js';
import { FrameError, type FrameKind } from '../session/frame.js';
import type { Session, SessionId } from '../session/session.js';
import type { FrameOrigin, ServerAnswer } from '../transport/server-answer.js';
import { STATUS, type PostedKind } from '../transport/protocol.js';
import { decodePush, type PushMessage } from '../wire/push-message.js';
import { decodeRequest, type PeerRequest } from '../wire/request-message.js';
import { WireError } from '../wire/wire-fields.js';
import type { Connections } from './connections.js';

/** Answers a request of a peer; undefined tells it to come again. */
export type ServeRequest = (peer: Peer, request: PeerRequest) => Promise<Uint8Array | undefined>;

const NOTHING = new Uint8Array(0);

/** Opens frames and dispatches their content. */
export class FrameRouter {
  constructor(
    private readonly connections: Connections,
    private readonly serveRequest: ServeRequest,
  ) {}

  private get stopwatch(): Stopwatch {
    return this.connections.parts.stopwatch;
  }

  /** Owner of the session; undefined for an unknown session. */
  ownerOf(id: SessionId): string | undefined {
    const entry = this.connections.sessions.find(id);
    if (entry === undefined) return undefined;
    return entry.isConfirmed ? entry.peer.nodeId : entry.acquaintance.introduction.nodeId;
  }

  async frame(kind: PostedKind, frame: Uint8Array, from: FrameOrigin): Promise<ServerAnswer> {
    const entry = this.connections.sessions.find(from.session);
    if (entry === undefined) return { status: STATUS.unknownSession };
    const opened = this.stopwatch.time(() =>
      this.open(kind, frame, { session: entry.session, remote: from.remote }),
    );
    if (opened === undefined) return { status: STATUS.malformed };
    const peer = this.connections.confirm(entry);
    if (peer?.connection === undefined) return { status: STATUS.refused };
    this.connections.parts.metrics.onReceived(peer, frame.length);
    const obstacle = this.obstacle(peer, peer.connection, frame.length);
    if (obstacle !== undefined) return { status: obstacle };
    return this.take(kind, peer, {
      connection: peer.connection,
      session: entry.session,
      trace: from.trace,
      ...opened,
    });
  }

  /**
   * Checks the frame with which the other side of a session asks for a stream. Without its proof, a stranger that reads a
   * session id on the way could hold the peer's streams.
   * @returns the status of the answer
   */
  opens(opening: Uint8Array, from: FrameOrigin): number {
    const entry = this.connections.sessions.find(from.session);
    if (entry === undefined) return STATUS.unknownSession;
    const { session } = entry;
    const opened = this.stopwatch.time(() => this.open('stream', opening, { session, remote: from.remote }));
    if (opened === undefined) return STATUS.malformed;
    const peer = this.connections.confirm(entry);
    if (peer?.connection === undefined) return STATUS.refused;
    return this.obstacle(peer, peer.connection, opening.length) ?? STATUS.done;
  }

  /**
   * Undefined when the frame is not the peer's. No peer is blamed: the sender of a bad frame need not be the peer whose
   * session it names, and punishing that peer would let an attacker cut it off.
   */
  private open(
    kind: FrameKind,
    frame: Uint8Array,
    { session, remote }: { session: Session; remote: Endpoint },
  ): ReturnType<Session['open']> | undefined {
    try {
      return session.open(kind, frame);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.connections.parts.metrics.onRefused(error.message);
      this.connections.once.warn(remote.host, `frame ${error.message}`, {
        message: 'a frame that is not authentic was refused',
        values: { reason: error.message, address: formatEndpoint(remote) },
      });
      return undefined;
    }
  }

  /** The status with which an authentic frame is not taken; undefined when it is. */
  private obstacle(peer: Peer, connection: PeerConnection, bytes: number): number | undefined {
    const { nodeId, endpoint } = peer;
    if (!this.connections.isAllowed({ nodeId, ...endpoint, direction: connection.direction })) {
      this.connections.once.warn(nodeId, 'permission', {
        message: 'peer is no longer permitted',
        values: { peer: peer.shortId },
      });
      this.connections.fail(peer);
      return STATUS.refused;
    }
    if (connection.messageRate.take() && connection.byteRate.take(bytes)) return undefined;
    this.connections.parts.metrics.onRefused('too much');
    this.connections.penalise(peer, 'too much');
    return STATUS.busy;
  }

  private async take(
    kind: PostedKind,
    peer: Peer,
    from: Pick<FrameOrigin, 'trace'> & {
      connection: PeerConnection;
      session: Session;
      counter: number;
      plaintext: Uint8Array;
    },
  ): Promise<ServerAnswer> {
    const { connection, session, counter, plaintext } = from;
    connection.lastHeardMs = this.connections.now();
    const sealed = (answer: Uint8Array) =>
      this.stopwatch.time(() => session.sealAnswer(kind, counter, answer));
    try {
      if (kind === 'push') {
        const messages = this.stopwatch.time(() => decodePush(plaintext));
        if (from.trace !== undefined) this.noteTrace(messages, from.trace);
        if (!connection.inbox.offer(messages)) return { status: STATUS.busy };
        return { status: STATUS.done, body: sealed(NOTHING) };
      }
      const answer = await this.serveRequest(peer, decodeRequest(plaintext));
      return answer === undefined ? { status: STATUS.busy } : { status: STATUS.done, body: sealed(answer) };
    } catch (error) {
      if (error instanceof WireError) {
        this.connections.penalise(peer, 'undecodable message', error.message);
        return { status: STATUS.malformed };
      }
      // A failure of this node, such as an unavailable database: the peer may ask again.
      const about = { message: 'a request of a peer cannot be answered now', values: { error } };
      this.connections.once.warn(error instanceof Error ? error.message : '', 'own trouble', about);
      return { status: STATUS.busy };
    }
  }

  /** A traced transaction is alone in its push. */
  private noteTrace([message, ...more]: readonly PushMessage[], trace: TraceParent): void {
    if (message?.kind !== 'transaction' || more.length > 0) return;
    this.connections.parts.ports.traces?.received(keccakHash(message.payload), writeTraceHeaders(trace));
  }
}
