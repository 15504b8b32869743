import { describe, expect, it } from '@jest/globals';
import { signTransaction } from '@tetrad/transactions';
import { addressToBytes, parseAddress, silentLogger, type Logger } from '@tetrad/types';
import { decodeTransaction } from './decode-transaction.js';
import { answerBatch, type SenderAnswer, type SenderBatch } from './sender-batch.js';
import { createTransactionDecoder, type SenderThread } from './transaction-decoder.js';

const CHAIN_ID = 1337n;

function raw(nonce: number): Uint8Array {
  return signTransaction(
    {
      chainId: CHAIN_ID,
      nonce: BigInt(nonce),
      gasLimit: 21_000n,
      to: parseAddress(`0x${'11'.repeat(20)}`),
      value: 1n,
      data: new Uint8Array(nonce),
      fees: { type: 'legacy', gasPrice: 0n },
    },
    new Uint8Array(32).fill(nonce % 3 === 0 ? 1 : 2),
  );
}

/** A fake worker thread whose answers and end the test triggers. */
class ManualThread implements SenderThread {
  readonly batches: SenderBatch[] = [];
  isStarted = false;
  stopped = false;
  private answered: (answer: SenderAnswer) => void = () => undefined;
  private ended: (error: unknown) => void = () => undefined;

  begin(): this {
    this.isStarted = true;
    return this;
  }

  post(batch: SenderBatch): void {
    this.batches.push(structuredClone(batch));
  }

  onAnswer(listener: (answer: SenderAnswer) => void): void {
    this.answered = listener;
  }

  onEnd(listener: (error: unknown) => void): void {
    this.ended = listener;
  }

  async stop(): Promise<void> {
    this.stopped = true;
  }

  answer(): void {
    const batch = this.batches.shift() as SenderBatch;
    this.answered(
      answerBatch(batch, (bytes, chainId) => addressToBytes(decodeTransaction(bytes, chainId).sender)),
    );
  }

  end(): void {
    this.ended(new Error('out of memory'));
  }
}

function decoderWith(threads: readonly ManualThread[], logger: Logger = silentLogger) {
  const left = [...threads];
  return createTransactionDecoder({
    chainId: CHAIN_ID,
    workers: threads.length,
    logger,
    startThread: () => left.shift() as ManualThread,
  });
}

const turn = () => new Promise((done) => setImmediate(done));

describe('createTransactionDecoder', () => {
  it('has the same results as synchronous decoding, with and without threads', async () => {
    const thread = new ManualThread();
    const threaded = decoderWith([thread]);
    const alone = decoderWith([]);
    const raws = [0, 1, 2, 3].map(raw);
    const promises = raws.map((bytes) => threaded.decode(bytes));
    await turn();
    thread.answer();
    const expected = raws.map((bytes) => decodeTransaction(bytes, CHAIN_ID));
    expect(await Promise.all(promises)).toEqual(expected);
    expect(await Promise.all(raws.map((bytes) => alone.decode(bytes)))).toEqual(expected);
  });

  it('sends transactions of one turn in one message', async () => {
    const thread = new ManualThread();
    const decoder = decoderWith([thread]);
    const promises = [0, 1, 2].map((nonce) => decoder.decode(raw(nonce)));
    await turn();
    expect(thread.batches).toHaveLength(1);
    thread.answer();
    await Promise.all(promises);
  });

  it('delivers in the order of the calls, whichever thread is first', async () => {
    const threads = [new ManualThread(), new ManualThread()] as const;
    const decoder = decoderWith(threads);
    const order: bigint[] = [];
    const first = decoder.decode(raw(0)).then(({ nonce }) => order.push(nonce));
    await turn();
    const second = decoder.decode(raw(1)).then(({ nonce }) => order.push(nonce));
    await turn();
    threads[1].answer();
    await turn();
    expect(order).toEqual([]);
    threads[0].answer();
    await Promise.all([first, second]);
    expect(order).toEqual([0n, 1n]);
  });

  it('fails an invalid transaction alone, with the error of the decoder', async () => {
    const thread = new ManualThread();
    const decoder = decoderWith([thread]);
    const [good, bad] = [decoder.decode(raw(1)), decoder.decode(Uint8Array.of(0xc1, 0x80))];
    const refused = expect(bad).rejects.toThrow('transaction: gasPrice: missing');
    await turn();
    thread.answer();
    await refused;
    expect((await good).nonce).toBe(1n);
  });

  it('continues without threads when a thread ends, and reports it once', async () => {
    const warnings: string[] = [];
    const thread = new ManualThread();
    const decoder = decoderWith([thread], { ...silentLogger, warn: (message) => warnings.push(message) });
    const outstanding = decoder.decode(raw(1));
    await turn();
    thread.end();
    expect((await outstanding).nonce).toBe(1n);
    expect((await decoder.decode(raw(2))).nonce).toBe(2n);
    expect(warnings).toEqual(['decoder thread ended, its work moved to others']);
  });

  it('replaces a thread that ended after it had answered', async () => {
    const [first, second] = [new ManualThread(), new ManualThread()];
    const decoder = createTransactionDecoder({
      chainId: CHAIN_ID,
      workers: 1,
      logger: silentLogger,
      startThread: () => (first.isStarted ? second.begin() : first.begin()),
    });
    const answered = decoder.decode(raw(1));
    await turn();
    first.answer();
    await answered;
    first.end();
    const next = decoder.decode(raw(2));
    await turn();
    second.answer();
    expect((await next).nonce).toBe(2n);
    await decoder.close();
    expect(second.stopped).toBe(true);
  });

  it('decodes pending transactions when it is closed', async () => {
    const thread = new ManualThread();
    const decoder = decoderWith([thread]);
    const outstanding = decoder.decode(raw(1));
    await turn();
    const collected = decoder.decode(raw(2));
    await decoder.close();
    expect((await outstanding).nonce).toBe(1n);
    expect((await collected).nonce).toBe(2n);
    expect(thread.stopped).toBe(true);
  });

  it('decodes many as one after the other, in messages to several threads', async () => {
    const threads = [new ManualThread(), new ManualThread()] as const;
    const decoder = decoderWith(threads);
    const raws = Array.from({ length: 700 }, (_, index) => raw(index % 5));
    const decoding = decoder.decodeAll(raws);
    expect(threads.map(({ batches }) => batches.map(({ ends }) => ends.length))).toEqual([[512], [188]]);
    threads[1].answer();
    threads[0].answer();
    const make = await decoding;
    expect(make()).toEqual(raws.map((bytes) => decodeTransaction(bytes, CHAIN_ID)));
    expect((await decoder.decodeAll([]))()).toEqual([]);
  });

  it('refuses many of which one is not valid, before they are made', async () => {
    const thread = new ManualThread();
    const decoder = decoderWith([thread]);
    const refused = expect(decoder.decodeAll([raw(1), Uint8Array.of(0xc1, 0x80), raw(2)])).rejects.toThrow(
      'transaction: gasPrice: missing',
    );
    await turn();
    thread.answer();
    await refused;
  });

  it('makes many by itself when their thread ends', async () => {
    const thread = new ManualThread();
    const decoder = decoderWith([thread]);
    const decoding = decoder.decodeAll([raw(1), raw(2)]);
    await turn();
    thread.end();
    expect((await decoding)().map(({ nonce }) => nonce)).toEqual([1n, 2n]);
  });
});
