import { RequestError } from '@tetrad/types';
import { BatchCaller } from './batch-caller.js';
import type { Caller } from './caller.js';

/** Bytes of one answer, and of those to a batch together, where no option sets them. */
export const DEFAULT_ANSWER_BYTES = 25_000_000;
/** Batches that hold their maximum at a time; further answers are refused until one is done. */
const FULL_BATCHES = 8;
/** Bytes of an answer that is given whatever else the batch holds. */
const SMALL_BYTES = 4_096;
/** Calls of a batch that run at a time when their answers may be large: each may be held until it is written. */
const LARGE_AT_A_TIME = 16;

/** Limits of the answers to a body. */
export interface AnswerLimits {
  /** Time limit from the start of a body to the start of its last call. */
  readonly requestTimeoutMs: number;
  /** Bytes of one answer. */
  readonly answerBytes: number;
  /** Bytes of the answers to a batch together. */
  readonly batchAnswerBytes: number;
}

/** An answer as JSON. */
export interface WrittenAnswer {
  readonly text: string;
  /** Bytes that were written; more than the text when that only reports that the answer was too large. */
  readonly bytes: number;
}

export interface BatchParts<Wire = unknown> {
  readonly limits: AnswerLimits;
  /** Answers of all running batches. */
  readonly held: HeldBytes;
  /** Whether the answer to the call is a few bytes whatever happens, so that any number may run at a time. */
  isSmall(wire: Wire): boolean;
  /** The answer; undefined to a notification. */
  answer(wire: Wire, caller: Caller): Promise<WrittenAnswer | undefined>;
  /** The answer to a call that was not run, or whose answer cannot be given. */
  refuse(wire: Wire, error: RequestError): string | undefined;
  /** Whether the calls were taken from the rate allowance of the caller already. */
  readonly isCounted?: boolean;
}

/** Counts the bytes that batches hold until they are answered, so that many batches cannot exhaust memory. */
export class HeldBytes {
  private bytes = 0;

  constructor(private readonly most: number) {}

  /** @param batchAnswerBytes - maximum size of one of them */
  static ofBatches(batchAnswerBytes: number): HeldBytes {
    return new HeldBytes(FULL_BATCHES * batchAnswerBytes);
  }

  take(bytes: number): boolean {
    if (this.bytes + bytes > this.most) return false;
    this.bytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.bytes -= bytes;
  }
}

/**
 * Answers a batch: every answer is written as soon as it is ready, and once their total is too large no further call
 * is run. As in geth, answers given until then are kept, and each of the other calls is refused.
 * @returns the JSON of all answers, in the order of the calls; undefined without any
 */
export async function answerBatch<Wire>(
  batch: readonly Wire[],
  caller: Caller,
  parts: BatchParts<Wire>,
): Promise<string | undefined> {
  const run = new BatchRun(batch, caller, parts);
  try {
    return await run.answer();
  } finally {
    run.finish();
  }
}

class BatchRun<Wire> {
  private readonly answers: (string | undefined)[];
  private readonly caller: BatchCaller;
  private readonly startedMs = performance.now();
  /** The answers held, and the bytes written for them. */
  private bytes = 0;
  private written = 0;
  /** The error for the calls that did not begin; undefined as long as they may begin. */
  private rejection: RequestError | undefined;

  constructor(
    private readonly batch: readonly Wire[],
    private readonly sender: Caller,
    private readonly parts: BatchParts<Wire>,
  ) {
    this.answers = new Array(batch.length);
    this.caller = new BatchCaller(sender);
  }

  async answer(): Promise<string | undefined> {
    const large: number[] = [];
    const running: Promise<void>[] = [];
    for (const [index, wire] of this.batch.entries()) {
      // The transport has counted the body as one call.
      if (index > 0 && !this.admits()) this.refuse(index, tooFast());
      else if (this.parts.isSmall(wire)) running.push(this.runSmall(index));
      else large.push(index);
    }
    const queue = large.values();
    for (let worker = 0; worker < LARGE_AT_A_TIME; worker++) running.push(this.runAll(queue));
    await Promise.all(running);
    const given = this.answers.filter((answer) => answer !== undefined);
    return given.length === 0 ? undefined : `[${given.join(',')}]`;
  }

  finish(): void {
    this.caller.finish();
    this.parts.held.giveBack(this.bytes);
  }

  private admits(): boolean {
    return this.parts.isCounted === true || this.sender.admits?.() !== false;
  }

  private async runAll(queue: Iterable<number>): Promise<void> {
    for (const index of queue) await this.run(index);
  }

  /** A call that began is answered with its outcome: it may have sent a transaction. */
  private async runSmall(index: number): Promise<void> {
    const rejection = this.rejection ?? this.timeOut();
    if (rejection !== undefined) return this.refuse(index, rejection);
    const answer = await this.parts.answer(this.batch[index] as Wire, this.sender);
    if (answer === undefined) return;
    // The error of such a call may have the data of a contract.
    if (answer.bytes > SMALL_BYTES) return this.keep(index, answer);
    this.written += answer.bytes;
    if (this.parts.held.take(answer.bytes)) this.bytes += answer.bytes;
    this.answers[index] = answer.text;
  }

  private async run(index: number): Promise<void> {
    const rejection = this.rejection ?? this.timeOut();
    if (rejection !== undefined) return this.refuse(index, rejection);
    const answer = await this.parts.answer(this.batch[index] as Wire, this.caller);
    if (answer !== undefined) this.keep(index, answer);
    else if (this.rejection !== undefined) this.refuse(index, this.rejection);
  }

  private keep(index: number, { text, bytes }: WrittenAnswer): void {
    const { limits, held } = this.parts;
    const size = Buffer.byteLength(text);
    this.written += bytes;
    if (this.rejection === undefined && this.written > limits.batchAnswerBytes) {
      this.stop(tooLarge(limits.batchAnswerBytes));
    } else if (this.rejection === undefined && !held.take(size)) {
      this.stop(tooMuchHeld());
    }
    if (this.rejection !== undefined) return this.refuse(index, this.rejection);
    this.bytes += size;
    this.answers[index] = text;
  }

  private stop(rejection: RequestError): void {
    this.rejection = rejection;
    this.caller.giveUp();
  }

  private timeOut(): RequestError | undefined {
    const { requestTimeoutMs } = this.parts.limits;
    if (performance.now() - this.startedMs <= requestTimeoutMs) return undefined;
    return new RequestError('REQUEST_TIMEOUT', `request timed out after ${requestTimeoutMs} ms`);
  }

  private refuse(index: number, rejection: RequestError): void {
    this.answers[index] = this.parts.refuse(this.batch[index] as Wire, rejection);
  }
}

/** With geth's text. */
export function tooLarge(limit: number): RequestError {
  return new RequestError('RESPONSE_TOO_LARGE', 'response too large', { limit });
}

function tooFast(): RequestError {
  return new RequestError('RATE_LIMITED', 'too many requests');
}

function tooMuchHeld(): RequestError {
  return new RequestError('TOO_MANY_CONCURRENT_REQUESTS', 'too many large answers at a time');
}
