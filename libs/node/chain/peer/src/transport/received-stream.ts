import type { Socket } from 'node:net';
import { WireError } from '../wire/wire-fields.js';
import type { ServerAnswer } from './server-answer.js';
import { STATUS, type PostedKind } from './protocol.js';
import { RecordReader } from './record-reader.js';
import {
  RECORD_OVERHEAD,
  decodeStreamMessage,
  encodeStreamAnswer,
  type StreamMessage,
} from './stream-record.js';

export interface ReceivedStreamOptions {
  /** Of a message's frame, and of the body of an answer. */
  readonly maxBytes: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** In which a message must arrive whole that has begun. */
  readonly recordMs: number;
  readonly answer: (kind: PostedKind, frame: Uint8Array) => Promise<ServerAnswer>;
  readonly onCut: (reason: string) => void;
  readonly onFault: (error: unknown) => void;
}

const NOTHING = new Uint8Array(0);

/** The receiving end of a stream. */
export class ReceivedStream {
  private readonly reader: RecordReader;
  private deadline: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly options: ReceivedStreamOptions,
  ) {
    this.reader = new RecordReader(options.maxBytes + RECORD_OVERHEAD);
    socket.setNoDelay(true);
    socket.setTimeout(options.idleMs, () => this.close());
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => this.close());
    socket.on('close', () => this.stopWaiting());
    // A sender that does not read its answers is not read either: what waits for it is one buffer and one answer for
    // each message that is processed at the same time.
    socket.on('drain', () => socket.resume());
  }

  receive(chunk: Buffer): void {
    try {
      for (const record of this.reader.take(chunk)) {
        this.stopWaiting();
        if (this.socket.destroyed) return;
        void this.process(decodeStreamMessage(record));
      }
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return this.cut(error.message);
    }
    // A message has its time from its first byte on, however many pieces it comes in.
    if (this.reader.isWithin) this.deadline ??= setTimeout(() => this.cut('too slow'), this.options.recordMs);
  }

  close(): void {
    this.socket.destroy();
  }

  private async process({ ticket, kind, frame }: StreamMessage): Promise<void> {
    try {
      const { status, body = NOTHING } = await this.options.answer(kind, frame);
      this.reply(ticket, status, body);
    } catch (error) {
      this.options.onFault(error);
      this.close();
    }
  }

  private reply(ticket: number, status: number, body: Uint8Array): void {
    if (this.socket.destroyed) return;
    // Only messages whose answers fit are sent on streams.
    const answer =
      body.length > this.options.maxBytes
        ? { ticket, status: STATUS.tooLarge, body: NOTHING }
        : { ticket, status, body };
    if (!this.socket.write(encodeStreamAnswer(answer))) this.socket.pause();
    // The peer was disconnected: what else it sends here is not answered one by one.
    if (status === STATUS.unknownSession) this.socket.destroySoon();
  }

  private stopWaiting(): void {
    clearTimeout(this.deadline);
    this.deadline = undefined;
  }

  private cut(reason: string): void {
    this.options.onCut(reason);
    this.close();
  }
}
