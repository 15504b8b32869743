import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ConnectionLimit, OperatorError, hostKey, parseTraceHeaders, type Logger } from '@tetrad/types';
import type { Endpoint } from '../identity/enode.js';
import { transferMs, type PeerLimits } from '../limits.js';
import type { HandshakeAnswer } from '../session/handshake-responder.js';
import { readSessionId, type SessionId } from '../session/session.js';
import { MAX_HANDSHAKE_BYTES } from '../wire/handshake-messages.js';
import { encodeRejection, type Rejection } from '../wire/rejection.js';
import { InboundBudget } from './inbound-budget.js';
import { PATHS, SESSION_HEADER, STATUS, type HandshakeStep, type PostedKind } from './protocol.js';
import { BodyError, declaredLength, readBody } from './read-body.js';
import type { FrameOrigin, ServerAnswer } from './server-answer.js';
import { StreamServer } from './stream-server.js';

export interface PeerServerOptions {
  readonly limits: PeerLimits;
  readonly logger: Logger;
  readonly handshake: (step: HandshakeStep, body: Uint8Array, remote: Endpoint) => Promise<HandshakeAnswer>;
  /** Owner of the session; undefined for an unknown session. */
  readonly ownerOf: (session: SessionId) => string | undefined;
  readonly frame: (kind: PostedKind, frame: Uint8Array, from: FrameOrigin) => Promise<ServerAnswer>;
  /**
   * Whether the other side of the session asks for a stream.
   * @returns the status of the answer
   */
  readonly opens: (opening: Uint8Array, from: FrameOrigin) => number;
  /** Whether a node that was connected before came from there; in: as `hostKey` gives it */
  readonly isKnownAddress: (key: string) => boolean;
  /** Called when a connection is cut because its bytes did not arrive. */
  readonly onCut: (remote: Endpoint, reason: string) => void;
}

/** Room around the largest message: frame, lists, kind. */
const ENVELOPE_BYTES = 1_024;
/** Bodies of handshakes that are received at once: of strangers and of addresses of known nodes, each. */
const CONCURRENT_HANDSHAKES = 64;
/** The same of one stranger's address. */
const CONCURRENT_HANDSHAKES_PER_ADDRESS = 16;
/** Longer than clients keep a connection that is idle. */
const KEEP_ALIVE_MS = 65_000;
/** Up to here a body that is refused is read to its end, so that the connection can stay. */
const DRAINED_BYTES = 64 * 1024;

/** The peer port: reads bodies within limits and passes them on. It decides nothing but what fits. */
export class PeerServer {
  private readonly server: Server;
  private readonly frames: InboundBudget;
  private readonly streams: StreamServer;
  /** Open ones, those that became streams included. */
  private readonly sockets = new Set<Socket>();
  private isClosing = false;
  private readonly handshakes: { readonly known: InboundBudget; readonly strangers: InboundBudget };

  constructor(private readonly options: PeerServerOptions) {
    const { limits } = options;
    this.frames = new InboundBudget({
      bytes: limits.inboundBytes,
      bytesPerPeer: limits.inboundBytesPerPeer,
      concurrentPerPeer: limits.concurrentPerPeer,
    });
    this.handshakes = {
      known: handshakeBudget(CONCURRENT_HANDSHAKES),
      strangers: handshakeBudget(CONCURRENT_HANDSHAKES_PER_ADDRESS),
    };
    this.server = createServer(
      {
        maxHeaderSize: 4_096,
        headersTimeout: limits.bodyGraceMs,
        requestTimeout: transferMs(limits, limits.messageBytes),
        connectionsCheckingInterval: Math.max(100, limits.bodyGraceMs / 10),
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      (request, response) => void this.serve(request, response),
    );
    this.streams = new StreamServer({
      ...options,
      budget: this.frames,
      onFault: (error) => options.logger.error('peer message failed', { error }),
    });
    this.server.on('upgrade', (request, socket, head) => {
      // One that opened now would outlive the others: what is closed was listed before.
      if (this.isClosing) socket.destroy();
      else this.streams.accept(request, socket as Socket, head);
    });
    this.server.maxConnections = limits.strangerConnections + 64 + 8 * limits.maxPeers;
    const connections = new ConnectionLimit({
      perAddress: limits.connectionsPerAddress,
      strangers: limits.strangerConnections,
      isKnownAddress: options.isKnownAddress,
    });
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      if (!connections.admit(socket)) socket.destroy();
    });
  }

  /** Streams that peers opened. */
  get streamCount(): number {
    return this.streams.size;
  }

  get reservedBytes(): number {
    return this.frames.reservedBytes;
  }

  /**
   * @returns the port that was opened
   * @throws OperatorError
   */
  listen({ host, port }: Endpoint): Promise<number> {
    return new Promise((done, fail) => {
      this.server.once('error', (error: NodeJS.ErrnoException) =>
        fail(new OperatorError(`peer port ${port} on ${host} cannot be opened (${error.code})`)),
      );
      this.server.listen(port, host, () => done((this.server.address() as AddressInfo).port));
    });
  }

  /** Accepts no more connections; cuts the remaining ones after the time. */
  async close(timeoutMs: number): Promise<void> {
    this.isClosing = true;
    const closed = new Promise<void>((done) => this.server.close(() => done()));
    this.server.closeIdleConnections();
    this.streams.closeAll();
    // Streams too, which are not connections of HTTP any more: an open one would keep a node from stopping.
    const cut = setTimeout(() => this.sockets.forEach((socket) => socket.destroy()), timeoutMs);
    await closed;
    clearTimeout(cut);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const remote = { host: request.socket.remoteAddress ?? '', port: request.socket.remotePort ?? 0 };
    try {
      send(request, response, await this.answer(request, remote));
    } catch (error) {
      if (error instanceof BodyError) this.options.onCut(remote, error.message);
      else this.options.logger.error('peer request failed', { error });
      request.socket.destroy();
    }
  }

  private answer(request: IncomingMessage, remote: Endpoint): ServerAnswer | Promise<ServerAnswer> {
    if (request.method !== 'POST') return { status: STATUS.notFound };
    switch (request.url) {
      case PATHS.hello:
        return this.handshake('hello', request, remote);
      case PATHS.prove:
        return this.handshake('prove', request, remote);
      case PATHS.push:
        return this.frame('push', request, remote);
      case PATHS.request:
        return this.frame('request', request, remote);
      default:
        return { status: STATUS.notFound };
    }
  }

  private handshake(
    step: HandshakeStep,
    request: IncomingMessage,
    remote: Endpoint,
  ): ServerAnswer | Promise<ServerAnswer> {
    const owner = hostKey(remote.host);
    const { known, strangers } = this.handshakes;
    const budget = this.options.isKnownAddress(owner) ? known : strangers;
    const room = { budget, owner, maxBytes: MAX_HANDSHAKE_BYTES };
    return this.withBody(request, room, async (body) => {
      const answer = await this.options.handshake(step, body, remote);
      return 'body' in answer ? { status: STATUS.done, body: answer.body } : refuse(answer.rejection);
    });
  }

  private frame(
    kind: PostedKind,
    request: IncomingMessage,
    remote: Endpoint,
  ): ServerAnswer | Promise<ServerAnswer> {
    const header = request.headers[SESSION_HEADER];
    const session = typeof header === 'string' ? readSessionId(header) : undefined;
    const owner = session === undefined ? undefined : this.options.ownerOf(session);
    if (session === undefined || owner === undefined) return { status: STATUS.unknownSession };
    const maxBytes = this.options.limits.messageBytes + ENVELOPE_BYTES;
    return this.withBody(request, { budget: this.frames, owner, maxBytes }, (body) =>
      this.options.frame(kind, body, { session, remote, trace: parseTraceHeaders(request.headers) }),
    );
  }

  /** Reserves the budget of the body until it is processed. */
  private async withBody(
    request: IncomingMessage,
    { budget, owner, maxBytes }: { budget: InboundBudget; owner: string; maxBytes: number },
    work: (body: Uint8Array) => Promise<ServerAnswer>,
  ): Promise<ServerAnswer> {
    const length = declaredLength(request);
    if (length === undefined) return { status: STATUS.lengthRequired };
    if (length > maxBytes) return { status: STATUS.tooLarge };
    const release = budget.reserve(owner, length);
    if (release === undefined) return { status: STATUS.busy };
    try {
      return await work(
        await readBody(request, { length, timeoutMs: transferMs(this.options.limits, length) }),
      );
    } finally {
      release();
    }
  }
}

function handshakeBudget(perAddress: number): InboundBudget {
  const bytes = CONCURRENT_HANDSHAKES * MAX_HANDSHAKE_BYTES;
  return new InboundBudget({ bytes, bytesPerPeer: bytes, concurrentPerPeer: perAddress });
}

function refuse(rejection: Rejection): ServerAnswer {
  return { status: rejection === 'busy' ? STATUS.busy : STATUS.refused, body: encodeRejection(rejection) };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body = new Uint8Array(0) }: ServerAnswer,
): void {
  const isUnread = !request.complete && (declaredLength(request) ?? Infinity) > DRAINED_BYTES;
  response.writeHead(status, {
    'content-type': 'application/octet-stream',
    'content-length': body.length,
    ...(isUnread ? { connection: 'close' } : {}),
  });
  response.end(body);
  if (!isUnread) request.resume();
}
