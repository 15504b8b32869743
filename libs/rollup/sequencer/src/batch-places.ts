import type { BatchPlace, SequenceHead, WrittenBatch } from '@tetrad/rollup-store';
import type { BatchSizes } from './batch-sizes.js';

/** How the batches of a plan are closed. */
export interface PlanSizes {
  readonly sizes: BatchSizes;
  /** Operations and deposits that the plan will be given; without the number, all batches get as full as they can. */
  readonly given?: number | undefined;
}

/** Places of an operation and its credit. */
const PAIR = 2;

/** Gives out the places of batches in order: a batch that is full is sealed, and the next one opens. */
export class BatchPlaces {
  private readonly batches = new Map<number, WrittenBatch>();
  private readonly sizes: BatchSizes;
  /** Operations and deposits that the plan has not been given yet. */
  private following: number;
  /** Deposits that this plan has put into the open batch. */
  private inboundOfOpen = 0;

  /** @param currentHead - where the sequence stands */
  constructor(
    private currentHead: SequenceHead,
    { sizes, given = Infinity }: PlanSizes,
  ) {
    this.sizes = sizes;
    this.following = given;
  }

  get head(): SequenceHead {
    return this.currentHead;
  }

  /** The batches in which places were taken or that were sealed, as they are now. */
  get written(): readonly WrittenBatch[] {
    return [...this.batches.values()];
  }

  /** The place that is taken next. */
  get next(): BatchPlace {
    return { batchHeight: this.currentHead.openHeight, batchIndex: this.currentHead.openIndex };
  }

  /** The batch in which an operation and its credit get places; undefined when no batch has room for both. */
  get heightOfPair(): number | undefined {
    if (this.sizes.largest < PAIR) return undefined;
    const { openHeight } = this.currentHead;
    return this.hasRoomForPair ? openHeight : openHeight + 1;
  }

  private get hasRoomForPair(): boolean {
    return this.currentHead.openIndex + PAIR <= this.sizes.largest;
  }

  /** Seals the open batch when it has no room for an operation and its credit, which are in one batch. */
  makeRoomForPair(): void {
    if (!this.hasRoomForPair) this.seal();
  }

  /** Counts an operation or a deposit that the plan was given. */
  countGiven(): void {
    this.following -= 1;
  }

  /** Makes the account with this id the newest one. */
  countAccount(id: number): void {
    this.currentHead = { ...this.currentHead, nextAccountId: id + 1 };
  }

  /**
   * Takes the next place for a deposit of the contract.
   *
   * @param index - of the deposit
   * @param staysOpen - whether the place after it is of the same batch in any case
   */
  takeInbound(index: number, staysOpen: boolean): void {
    this.inboundOfOpen += 1;
    this.currentHead = { ...this.currentHead, nextInbound: index + 1 };
    this.take(staysOpen);
  }

  /** @param staysOpen - whether the place after it is of the same batch in any case */
  take(staysOpen = false): void {
    const taken = this.currentHead.openIndex + 1;
    const isFull = !staysOpen && this.sizes.isFull(taken, this.following);
    this.write(isFull ? 'sealed' : 'open', taken);
    if (isFull) this.openNext();
    else this.currentHead = { ...this.currentHead, openIndex: taken };
  }

  /** Seals the open batch as it is. Does nothing when it is empty. */
  seal(): void {
    if (this.currentHead.openIndex === 0) return;
    this.write('sealed', this.currentHead.openIndex);
    this.openNext();
  }

  private write(state: 'open' | 'sealed', operations: number): void {
    const { openHeight: height, nextInbound: inboundTo } = this.currentHead;
    // Of a batch that was opened before, the row keeps where its deposits begin.
    const inboundFrom = this.batches.get(height)?.inboundFrom ?? inboundTo - this.inboundOfOpen;
    const size = state === 'open' ? this.sizes.largest : this.sizes.fitting(operations);
    this.batches.set(height, { height, state, operations, size, inboundFrom, inboundTo });
  }

  private openNext(): void {
    this.inboundOfOpen = 0;
    this.currentHead = { ...this.currentHead, openHeight: this.currentHead.openHeight + 1, openIndex: 0 };
  }
}
