import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Endpoint } from '../identity/enode.js';
import { transferMs, type PeerLimits } from '../limits.js';
import { readSessionId, type SessionId } from '../session/session.js';
import type { InboundBudget } from './inbound-budget.js';
import type { FrameOrigin, ServerAnswer } from './server-answer.js';
import { SESSION_HEADER, STATUS, STREAM, type PostedKind } from './protocol.js';
import { ReceivedStream } from './received-stream.js';

export interface StreamServerOptions {
  readonly limits: PeerLimits;
  readonly budget: InboundBudget;
  /** Owner of the session; undefined for an unknown session. */
  readonly ownerOf: (session: SessionId) => string | undefined;
  /**
   * Whether the other side of the session asks for a stream.
   * @returns the status of the answer
   */
  readonly opens: (opening: Uint8Array, from: FrameOrigin) => number;
  readonly frame: (kind: PostedKind, frame: Uint8Array, from: FrameOrigin) => Promise<ServerAnswer>;
  readonly onCut: (remote: Endpoint, reason: string) => void;
  /** Called when a message could not be processed because of a fault here. */
  readonly onFault: (error: unknown) => void;
}

/** The frame that opens a stream carries nothing: counter (8) ‖ tag (16), in hex. */
const OPENING = /^[0-9a-f]{48}$/;

const REASONS: Readonly<Record<number, string>> = {
  [STATUS.malformed]: 'Bad Request',
  [STATUS.unknownSession]: 'Unauthorized',
  [STATUS.refused]: 'Forbidden',
  [STATUS.notFound]: 'Not Found',
  [STATUS.busy]: 'Too Many Requests',
};

/** Streams that peers opened, one of a session. */
export class StreamServer {
  private readonly streams = new Map<SessionId, ReceivedStream>();

  constructor(private readonly options: StreamServerOptions) {}

  get size(): number {
    return this.streams.size;
  }

  /** Takes over the connection of a request that asks for an upgrade. */
  accept(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const origin = originOf(request, socket);
    const status = origin === undefined ? STATUS.notFound : this.check(request, origin);
    if (origin === undefined || status !== STATUS.done) return refuse(socket, status);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${STREAM.protocol}\r\n\r\n`,
    );
    this.begin(socket, origin, head);
  }

  closeAll(): void {
    for (const stream of this.streams.values()) stream.close();
  }

  private check(request: IncomingMessage, origin: FrameOrigin): number {
    const opening = request.headers[STREAM.openingHeader];
    if (this.options.ownerOf(origin.session) === undefined) return STATUS.unknownSession;
    if (typeof opening !== 'string' || !OPENING.test(opening)) return STATUS.malformed;
    return this.options.opens(Buffer.from(opening, 'hex'), origin);
  }

  private begin(socket: Socket, origin: FrameOrigin, head: Buffer): void {
    const { limits, onCut, onFault } = this.options;
    this.streams.get(origin.session)?.close();
    const stream = new ReceivedStream(socket, {
      maxBytes: limits.streamBytes,
      idleMs: limits.streamIdleMs,
      recordMs: transferMs(limits, limits.streamBytes),
      answer: (kind, frame) => this.answer(kind, frame, origin),
      onCut: (reason) => onCut(origin.remote, reason),
      onFault,
    });
    this.streams.set(origin.session, stream);
    socket.once('close', () => {
      if (this.streams.get(origin.session) === stream) this.streams.delete(origin.session);
    });
    if (head.length > 0) stream.receive(head);
  }

  /** Reserves the budget of the message until it is processed. */
  private async answer(kind: PostedKind, frame: Uint8Array, origin: FrameOrigin): Promise<ServerAnswer> {
    const owner = this.options.ownerOf(origin.session);
    if (owner === undefined) return { status: STATUS.unknownSession };
    const release = this.options.budget.reserve(owner, frame.length);
    if (release === undefined) return { status: STATUS.busy };
    try {
      return await this.options.frame(kind, frame, origin);
    } finally {
      release();
    }
  }
}

/** Undefined when the request is not for a stream of a session. */
function originOf(request: IncomingMessage, socket: Socket): FrameOrigin | undefined {
  const { method, url, headers } = request;
  const text = headers[SESSION_HEADER];
  const session = typeof text === 'string' ? readSessionId(text) : undefined;
  if (method !== 'GET' || url !== STREAM.path || headers.upgrade !== STREAM.protocol) return undefined;
  if (session === undefined) return undefined;
  return { session, remote: { host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 } };
}

function refuse(socket: Socket, status: number): void {
  const reason = REASONS[status] ?? 'Error';
  socket.write(`HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  socket.destroySoon();
}
