import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Endpoint } from '../identity/enode.js';
import type { Session } from '../session/session.js';
import { PeerUnreachableError, type PeerAnswer } from './peer-client.js';
import { SESSION_HEADER, STREAM, type PostedKind } from './protocol.js';
import { RecordReader } from './record-reader.js';
import { RECORD_OVERHEAD, decodeStreamAnswer, encodeStreamMessage } from './stream-record.js';

export interface StreamPost {
  readonly kind: PostedKind;
  readonly frame: Uint8Array;
  /** Until the whole answer is there. */
  readonly timeoutMs: number;
  /** Largest answer. */
  readonly answerBytes: number;
}

interface Waiting {
  readonly answerBytes: number;
  readonly done: (answer: PeerAnswer) => void;
  readonly fail: (error: PeerUnreachableError) => void;
  readonly timer: NodeJS.Timeout;
}

/** Messages that were given up and may still be answered. A peer with more is closed: it never answers. */
const MAX_GIVEN_UP = 64;

/** The sending end of a stream: a connection over which small messages go to the peer, and their answers come back. */
export class PeerStream {
  private readonly waiting = new Map<number, Waiting>();
  private readonly givenUp = new Set<number>();
  private readonly reader: RecordReader;
  private lastTicket = 0;
  private isRetired = false;

  private constructor(
    private readonly socket: Socket,
    maxBytes: number,
  ) {
    this.reader = new RecordReader(maxBytes + RECORD_OVERHEAD);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', () => this.close());
    socket.on('end', () => this.close());
    socket.on('close', () => this.close());
  }

  /**
   * Asks the peer to take messages of the session over one connection.
   * @param options.maxBytes - of the body of an answer
   * @throws PeerUnreachableError when the peer cannot be reached, has no streams, or refuses this one
   */
  static async open(
    endpoint: Endpoint,
    session: Session,
    { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<PeerStream> {
    const { socket, head } = await upgrade(endpoint, session, timeoutMs);
    const stream = new PeerStream(socket, maxBytes);
    if (head.length > 0) stream.receive(head);
    return stream;
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** @throws PeerUnreachableError */
  post({ kind, frame, timeoutMs, answerBytes }: StreamPost): Promise<PeerAnswer> {
    return new Promise((done, fail) => {
      if (!this.isOpen) return fail(new PeerUnreachableError('the stream is closed', false));
      const ticket = this.issueTicket();
      const timer = setTimeout(() => this.giveUp(ticket), timeoutMs);
      this.waiting.set(ticket, { answerBytes, done, fail, timer });
      this.socket.write(encodeStreamMessage({ ticket, kind, frame }));
    });
  }

  /** Closes once what was sent is answered. */
  retire(): void {
    this.isRetired = true;
    this.closeIfDone();
  }

  /** Whatever waits for an answer fails. */
  close(): void {
    this.socket.destroy();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { timer, fail } of waiting) {
      clearTimeout(timer);
      fail(new PeerUnreachableError('the stream was closed', false));
    }
  }

  private issueTicket(): number {
    this.lastTicket = (this.lastTicket + 1) >>> 0;
    return this.lastTicket;
  }

  private receive(chunk: Buffer): void {
    try {
      for (const record of this.reader.take(chunk)) this.settle(decodeStreamAnswer(record));
    } catch {
      // What it sends is not of this protocol, or nothing that was asked for.
      this.close();
    }
  }

  private settle({ ticket, status, body }: ReturnType<typeof decodeStreamAnswer>): void {
    const waiting = this.waiting.get(ticket);
    if (waiting === undefined) {
      if (!this.givenUp.delete(ticket)) this.close();
      return;
    }
    this.waiting.delete(ticket);
    clearTimeout(waiting.timer);
    if (body.length > waiting.answerBytes)
      waiting.fail(new PeerUnreachableError('the answer is too large', false));
    else waiting.done({ status, body });
    this.closeIfDone();
  }

  private giveUp(ticket: number): void {
    const waiting = this.waiting.get(ticket);
    this.waiting.delete(ticket);
    this.givenUp.add(ticket);
    waiting?.fail(new PeerUnreachableError('no answer in time', true));
    if (this.givenUp.size > MAX_GIVEN_UP) this.close();
    else this.closeIfDone();
  }

  private closeIfDone(): void {
    if (this.isRetired && this.waiting.size === 0) this.close();
  }
}

/** @throws PeerUnreachableError */
function upgrade(
  { host, port }: Endpoint,
  session: Session,
  timeoutMs: number,
): Promise<{ readonly socket: Socket; readonly head: Buffer }> {
  const { frame } = session.seal('stream', new Uint8Array(0));
  return new Promise((done, fail) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: STREAM.protocol,
      [SESSION_HEADER]: session.id,
      [STREAM.openingHeader]: Buffer.from(frame).toString('hex'),
    };
    const asked = request({ host, port, path: STREAM.path, headers, agent: false, maxHeaderSize: 4_096 });
    const end = (why: string, isLate = false) => {
      clearTimeout(timer);
      fail(new PeerUnreachableError(why, isLate));
      asked.destroy();
    };
    const timer = setTimeout(() => end('no stream in time', true), timeoutMs);
    asked.once('upgrade', (_: IncomingMessage, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      done({ socket, head });
    });
    asked.once('response', ({ statusCode }) => end(`the peer answers ${statusCode} to a stream`));
    asked.on('error', (error) => end(error.message));
    asked.end();
  });
}
