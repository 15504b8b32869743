/**
 * Raw transactions on their way to another thread, which recovers their senders.
 *
 * Layout of `bytes`: the transactions one after another; `ends[i]` is where the i-th one ends.
 */
export interface SenderBatch {
  readonly id: number;
  readonly chainId: bigint;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/**
 * The other thread's answer to a batch.
 *
 * Layout of `senders`, per transaction: valid (1, 0 or 1) ‖ address (20). An invalid one is decoded once more
 * where it came from, so that errors are made in one place.
 */
export interface SenderAnswer {
  readonly id: number;
  readonly senders: Uint8Array<ArrayBuffer>;
}

/** Bytes of one answer. */
const ANSWER_SIZE = 21;

/** Copies the transactions into one buffer. */
export function packBatch(id: number, chainId: bigint, raws: readonly Uint8Array[]): SenderBatch {
  const ends = new Uint32Array(raws.length);
  let end = 0;
  for (const [index, raw] of raws.entries()) ends[index] = end += raw.length;
  const bytes = new Uint8Array(end);
  for (const [index, raw] of raws.entries()) bytes.set(raw, index === 0 ? 0 : ends[index - 1]);
  return { id, chainId, bytes, ends };
}

/** Answers a batch with `recover`, which throws for a transaction that is not valid. */
export function answerBatch(
  batch: SenderBatch,
  recover: (raw: Uint8Array, chainId: bigint) => Uint8Array,
): SenderAnswer {
  const senders = new Uint8Array(batch.ends.length * ANSWER_SIZE);
  let from = 0;
  for (const [index, end] of batch.ends.entries()) {
    try {
      senders.set(recover(batch.bytes.subarray(from, end), batch.chainId), index * ANSWER_SIZE + 1);
      senders[index * ANSWER_SIZE] = 1;
    } catch {
      // Left at 0: the thread that asked makes the error.
    }
    from = end;
  }
  return { id: batch.id, senders };
}

/** The sender at the index, or undefined when the transaction is not valid. */
export function senderAt({ senders }: SenderAnswer, index: number): Uint8Array | undefined {
  const from = index * ANSWER_SIZE;
  return senders[from] === 1 ? senders.subarray(from + 1, from + ANSWER_SIZE) : undefined;
}
