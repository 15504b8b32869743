import { connect, type Socket } from 'node:net';
import { SESSION_HEADER, STREAM, type PostedKind } from '../src/transport/protocol.js';
import { RecordReader } from '../src/transport/record-reader.js';
import {
  decodeStreamAnswer,
  encodeStreamMessage,
  type StreamAnswer,
} from '../src/transport/stream-record.js';
import { eventually } from './eventually.js';
import type { HostilePeer } from './hostile-peer.js';

/** Parts of a request for a stream that a test may change. */
export interface StreamRequest {
  readonly session?: string;
  /** In hex; the proof of the session unless given. */
  readonly opening?: string;
  readonly path?: string;
  readonly protocol?: string;
}

/** A stream to a node that is opened, and written to, in whatever way a test wants. */
export class HostileStream {
  readonly answers: StreamAnswer[] = [];
  private readonly reader = new RecordReader(1_000_000);
  private text = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
  }

  static async open(peer: HostilePeer, request: StreamRequest = {}): Promise<HostileStream> {
    const stream = new HostileStream(connect(peer.target.port, '127.0.0.1'));
    stream.socket.write(stream.head(peer, request));
    await eventually(() => stream.status !== undefined || stream.isClosed, 'an answer to the upgrade');
    return stream;
  }

  /** The proof of the session, in hex. */
  static openingOf(peer: HostilePeer): string {
    return Buffer.from(peer.acquaintance.session.seal('stream', new Uint8Array(0)).frame).toString('hex');
  }

  /** Of the answer to the upgrade. */
  get status(): number | undefined {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(this.text)?.[1];
    return this.text.includes('\r\n\r\n') ? Number(status) : undefined;
  }

  /** Sends a message and gives the status of its answer. */
  async send(ticket: number, kind: PostedKind, frame: Uint8Array): Promise<number | undefined> {
    this.socket.write(encodeStreamMessage({ ticket, kind, frame }));
    const answer = () => this.answers.find((one) => one.ticket === ticket);
    await eventually(() => answer() !== undefined || this.isClosed, 'an answer on the stream');
    return answer()?.status;
  }

  close(): void {
    this.socket.destroy();
  }

  private head(peer: HostilePeer, request: StreamRequest): string {
    const { session = peer.sessionId, path = STREAM.path, protocol = STREAM.protocol } = request;
    const { opening = HostileStream.openingOf(peer) } = request;
    const lines = [
      `GET ${path} HTTP/1.1`,
      'host: x',
      'connection: Upgrade',
      `upgrade: ${protocol}`,
      `${SESSION_HEADER}: ${session}`,
      `${STREAM.openingHeader}: ${opening}`,
    ];
    return `${lines.join('\r\n')}\r\n\r\n`;
  }

  private receive(chunk: Buffer): void {
    if (this.status === 101) {
      for (const record of this.reader.take(chunk)) this.answers.push(decodeStreamAnswer(record));
      return;
    }
    this.text += chunk.toString('latin1');
  }
}
