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
  /**
   * Resolves when the senders of all are known; what it resolves to makes the transactions, once.
   * @throws TransactionDecodeError as above, of the first that is not valid
   */
  decodeAll(raws: readonly Uint8Array[]): Promise<() => readonly SignedTransaction[]>;
  /** Ends the threads; what is under way is decoded here. */
  close(): Promise<void>;
}

/** Transactions that go to a thread in one message; more would keep the first of them waiting. */
const MAX_BATCH = 128;

/** Of those that are asked for together; a block of more keeps several threads busy. */
const MAX_TOGETHER = 512;

/** The sender (20) of the transaction at the index; undefined when it is not known. */
type SenderOf = (index: number) => Uint8Array | undefined;

interface Waiting {
  readonly raws: readonly Uint8Array[];
  readonly answered: (senderOf: SenderOf) => void;
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
  private collected = 0;
  /** In the order of the calls, which is the order of delivery. */
  private readonly batches: Batch[] = [];
  private nextId = 0;
  private isStarted = false;
  private closing = false;

  constructor(private readonly options: TransactionDecoderOptions) {}

  async decode(raw: Uint8Array, hash?: Hash): Promise<SignedTransaction> {
    const senderOf = await this.recover([raw]);
    return this.make(raw, senderOf(0), hash);
  }

  async decodeAll(raws: readonly Uint8Array[]): Promise<() => readonly SignedTransaction[]> {
    const parts: Uint8Array[][] = [];
    for (let from = 0; from < raws.length; from += MAX_TOGETHER)
      parts.push(raws.slice(from, from + MAX_TOGETHER));
    const makers = await Promise.all(parts.map((part) => this.prepare(part)));
    return () => makers.flatMap((make) => make());
  }

  /** Without all senders the transactions are made at once: one is not valid, or no thread answers. */
  private async prepare(raws: readonly Uint8Array[]): Promise<() => readonly SignedTransaction[]> {
    const senderOf = await this.recover(raws);
    const make = () => raws.map((raw, index) => this.make(raw, senderOf(index)));
    if (raws.every((_, index) => senderOf(index) !== undefined)) return make;
    const made = make();
    return () => made;
  }

  private recover(raws: readonly Uint8Array[]): Promise<SenderOf> {
    return new Promise((answered) => {
      this.collecting.push({ raws, answered });
      this.collected += raws.length;
      if (this.collected >= MAX_BATCH) this.flush();
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
    this.collected = 0;
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
    const raws = batch.waiting.flatMap((waiting) => waiting.raws);
    idlest.thread.post(packBatch(id, this.options.chainId, raws));
  }

  private deliver(): void {
    for (let batch = this.batches[0]; batch?.answer !== undefined; batch = this.batches[0]) {
      this.batches.shift();
      let first = 0;
      for (const { raws, answered } of batch.waiting) {
        answered(sendersFrom(batch.answer, first));
        first += raws.length;
      }
    }
  }

  /** @param sender - undefined: it is recovered here */
  private make(raw: Uint8Array, sender: Uint8Array | undefined, hash?: Hash): SignedTransaction {
    const { chainId } = this.options;
    return sender === undefined
      ? decodeTransaction(raw, chainId, hash)
      : decodeStoredTransaction(raw, { chainId, sender: addressFromBytes(sender), hash });
  }
}

function sendersFrom(answer: SenderAnswer | null, first: number): SenderOf {
  return (index) => (answer === null ? undefined : senderAt(answer, first + index));
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
