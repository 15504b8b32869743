import type { ServerResponse } from 'node:http';
import { onceClosed } from './response-close.js';

/** Answers below this are in the socket's buffers at once, and are not counted. */
const SMALL_BYTES = 16_384;
/** Bytes of all answers together that may wait for clients to read them. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024;
/** A client must read an answer within this time plus the time its length takes at the minimum rate. */
const READ_MS = 30_000;
const LEAST_BYTES_PER_MS = 50;

/** Bounds what waits in memory for clients that are slow to read. */
export class OutgoingAnswers {
  private waiting = 0;

  constructor(private readonly maxWaitingBytes = MAX_WAITING_BYTES) {}

  /** Whether an answer of so many bytes may be sent; if so it is counted until the response is done. */
  admit(response: ServerResponse, bytes: number): boolean {
    if (bytes < SMALL_BYTES) return true;
    if (this.waiting + bytes > this.maxWaitingBytes) return false;
    this.waiting += bytes;
    const timer = setTimeout(() => response.destroy(), READ_MS + bytes / LEAST_BYTES_PER_MS).unref();
    onceClosed(response, () => {
      clearTimeout(timer);
      this.waiting -= bytes;
    });
    return true;
  }
}
