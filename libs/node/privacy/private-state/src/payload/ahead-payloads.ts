import type { PayloadHash } from './payload-hash.js';
import type { PayloadAnswer, PayloadSource } from './payload-source.js';

/** Maximum number of prefetched payloads. */
const AHEAD = 32;

/** Payloads that are requested together: half, so that the next ones arrive while these are executed. */
const TOGETHER = AHEAD / 2;

/** Bytes of prefetched payloads above which no more are prefetched. */
const AHEAD_BYTES = 4 * 1_048_576;

interface Asked {
  readonly answer: Promise<PayloadAnswer>;
  bytes: number;
}

/**
 * Prefetches the payloads of one block before the transactions that carry them are executed, in groups, which the client
 * of a manager joins into one request.
 *
 * Each payload is requested once for each transaction that carries it; others, and those out of order, are requested when
 * `find` is called. An answer that is never needed is dropped with the block.
 *
 * Bounds: 32 answers, and no further request while more than 4 MiB of answers are held
 */
export class AheadPayloads implements PayloadSource {
  private readonly asked = new Map<number, Asked>();
  private next = 0;
  private end = 0;

  /** @param hashes - of the block's private transactions, in their order */
  constructor(
    private readonly source: PayloadSource,
    private readonly hashes: readonly PayloadHash[],
  ) {}

  find(hash: PayloadHash): Promise<PayloadAnswer> {
    const place = this.hashes.indexOf(hash, this.next);
    if (place === -1) return this.source.find(hash);
    for (; this.next < place; this.next += 1) this.asked.delete(this.next);
    this.end = Math.max(this.end, place);
    this.askAhead();
    const { answer } = this.asked.get(place) ?? this.ask(place);
    this.asked.delete(place);
    this.next = place + 1;
    return answer;
  }

  private askAhead(): void {
    if (this.end > this.next + TOGETHER || this.heldBytes() > AHEAD_BYTES) return;
    const last = Math.min(this.end + TOGETHER, this.hashes.length);
    while (this.end < last) {
      this.asked.set(this.end, this.ask(this.end));
      this.end += 1;
    }
  }

  private ask(place: number): Asked {
    const answer = this.source.find(this.hashes[place] as PayloadHash);
    const asked: Asked = { answer, bytes: 0 };
    // The caller of `find` gets the rejection; that of an answer which is never needed is ignored here.
    answer.then(
      (known) => (asked.bytes = known.kind === 'payload' ? known.payload.data.length : 0),
      () => undefined,
    );
    return asked;
  }

  private heldBytes(): number {
    let bytes = 0;
    for (const asked of this.asked.values()) bytes += asked.bytes;
    return bytes;
  }
}
