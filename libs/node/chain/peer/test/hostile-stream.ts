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

/** After the headers of a request. */
const END = '\r\n';

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

  static open(peer: HostilePeer, request: StreamRequest = {}): Promise<HostileStream> {
    const own = { session: peer.sessionId, opening: request.opening ?? HostileStream.openingOf(peer) };
    return HostileStream.openAt(peer.target.port, { ...own, ...request });
  }

  /** @param before - what comes before the last bytes of the request are sent */
  static async openAt(
    port: number,
    request: StreamRequest,
    before: () => Promise<unknown> = async () => undefined,
  ): Promise<HostileStream> {
    const stream = new HostileStream(connect(port, '127.0.0.1'));
    stream.socket.write(headOf(request));
    await before();
    stream.socket.write(END);
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

  private receive(chunk: Buffer): void {
    if (this.status === 101) {
      for (const record of this.reader.take(chunk)) this.answers.push(decodeStreamAnswer(record));
      return;
    }
    this.text += chunk.toString('latin1');
  }
}

/** All of the request but its end. */
function headOf(request: StreamRequest): string {
  const { session = '', opening = '', path = STREAM.path, protocol = STREAM.protocol } = request;
  const lines = [
    `GET ${path} HTTP/1.1`,
    'host: x',
    'connection: Upgrade',
    `upgrade: ${protocol}`,
    `${SESSION_HEADER}: ${session}`,
    `${STREAM.openingHeader}: ${opening}`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}
