import { addressFromBytes, startThread, type Hash, type Logger, type SignedTransaction } from '@tetrad/types';
import { decodeStoredTransaction, decodeTransaction } from './decode-transaction.js';
import { packBatch, senderAt, type SenderAnswer, type SenderBatch } from './sender-batch.js';

/** A thread that recovers senders; `node:worker_threads` in a running service. */
export interface SenderThread {
  post(batch: SenderBatch): void;
  onAnswer(listener: (answer: SenderAnswer) => void): void;
  /** Calls the listener once when the thread has ended, for whatever reason. */
  onEnd(listener: (error: unknown) => void): void;
  stop(): Promise<unknown>;
}

export interface TransactionDecoderOptions {
  readonly chainId: bigint;
  /** Threads; with 0 everything happens on the caller's. */
  readonly workers: number;
  readonly logger: Logger;
  readonly startThread?: () => SenderThread;
}

/** Decodes signed transactions, with the costly recovery of the sender on other threads. */
export interface TransactionDecoder {
  /**
   * The transaction; promises resolve in the order of the calls.
   * @param hash - of the bytes, when it was computed before
   * @throws TransactionDecodeError, the same one that `decodeTransaction` throws
   */
  decode(raw: Uint8Array, hash?: Hash): Promise<SignedTransaction>;
  /** Ends the threads; what is under way is decoded here. */
  close(): Promise<void>;
}

/** Transactions that go to a thread in one message; more would keep the first of them waiting. */
const MAX_BATCH = 128;

interface Waiting {
  readonly raw: Uint8Array;
  readonly hash: Hash | undefined;
  readonly done: (transaction: SignedTransaction) => void;
  readonly fail: (error: unknown) => void;
}

interface Batch {
  readonly waiting: readonly Waiting[];
  /** Undefined until the thread has answered; null when it never will. */
  answer: SenderAnswer | null | undefined;
}

interface Thread {
  readonly thread: SenderThread;
  /** One that ends before it has answered would end again. */
  hasAnswered: boolean;
  readonly outstanding: Map<number, Batch>;
}

/** A decoder that starts its threads on first use. */
export function createTransactionDecoder(options: TransactionDecoderOptions): TransactionDecoder {
  return new ThreadedDecoder(options);
}

class ThreadedDecoder implements TransactionDecoder {
  private readonly threads: Thread[] = [];
  private collecting: Waiting[] = [];
  /** In the order of the calls, which is the order of delivery. */
  private readonly batches: Batch[] = [];
  private nextId = 0;
  private isStarted = false;
  private closing = false;

  constructor(private readonly options: TransactionDecoderOptions) {}

  decode(raw: Uint8Array, hash?: Hash): Promise<SignedTransaction> {
    return new Promise((done, fail) => {
      this.collecting.push({ raw, hash, done, fail });
      if (this.collecting.length === MAX_BATCH) this.flush();
      // Transactions of one turn of the event loop are sent in one message.
      else if (this.collecting.length === 1) setImmediate(() => this.flush());
    });
  }

  async close(): Promise<void> {
    this.closing = true;
    this.flush();
    const threads = this.threads.splice(0);
    await Promise.all(threads.map(({ thread }) => thread.stop()));
    for (const { outstanding } of threads) abandon(outstanding);
    this.deliver();
  }

  /** Called when the first work arrives; many nodes never have any. */
  private startAll(): void {
    if (this.isStarted || this.closing) return;
    this.isStarted = true;
    for (let index = 0; index < this.options.workers; index++) this.start();
  }

  private start(): void {
    const { startThread: start = startWorker } = this.options;
    const entry: Thread = { thread: start(), hasAnswered: false, outstanding: new Map() };
    this.threads.push(entry);
    entry.thread.onAnswer((answer) => {
      entry.hasAnswered = true;
      const batch = entry.outstanding.get(answer.id);
      if (batch === undefined) return;
      entry.outstanding.delete(answer.id);
      batch.answer = answer;
      this.deliver();
    });
    entry.thread.onEnd((error) => {
      const index = this.threads.indexOf(entry);
      if (index >= 0) this.threads.splice(index, 1);
      if (!this.closing)
        this.options.logger.warn('decoder thread ended, its work moved to others', { error });
      abandon(entry.outstanding);
      this.deliver();
      if (entry.hasAnswered && !this.closing) this.start();
    });
  }

  private flush(): void {
    if (this.collecting.length === 0) return;
    this.startAll();
    const batch: Batch = { waiting: this.collecting, answer: undefined };
    this.collecting = [];
    this.batches.push(batch);
    const idlest = this.threads.reduce<Thread | undefined>(
      (best, thread) =>
        best === undefined || thread.outstanding.size < best.outstanding.size ? thread : best,
      undefined,
    );
    if (idlest === undefined) {
      batch.answer = null;
      this.deliver();
      return;
    }
    const id = this.nextId++;
    idlest.outstanding.set(id, batch);
    const raws = batch.waiting.map(({ raw }) => raw);
    idlest.thread.post(packBatch(id, this.options.chainId, raws));
  }

  private deliver(): void {
    for (let batch = this.batches[0]; batch?.answer !== undefined; batch = this.batches[0]) {
      this.batches.shift();
      for (const [index, waiting] of batch.waiting.entries()) this.settle(waiting, batch.answer, index);
    }
  }

  private settle({ raw, hash, done, fail }: Waiting, answer: SenderAnswer | null, index: number): void {
    const { chainId } = this.options;
    const sender = answer === null ? undefined : senderAt(answer, index);
    try {
      done(
        sender === undefined
          ? decodeTransaction(raw, chainId, hash)
          : decodeStoredTransaction(raw, { chainId, sender: addressFromBytes(sender), hash }),
      );
    } catch (error) {
      fail(error);
    }
  }
}

function abandon(outstanding: Map<number, Batch>): void {
  for (const batch of outstanding.values()) batch.answer = null;
  outstanding.clear();
}

function startWorker(): SenderThread {
  const file = new URL('./sender-worker.js', import.meta.url);
  const { post, onMessage, onEnd, keepAlive, stop } = startThread<SenderBatch, SenderAnswer>(file);
  // An idle thread must not keep a process alive that has nothing else to do.
  keepAlive(false);
  return {
    post: (batch) => post(batch, [batch.bytes.buffer, batch.ends.buffer]),
    onAnswer: onMessage,
    onEnd,
    stop,
  };
}
