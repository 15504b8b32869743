import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '@tetrad/node-ledger';
import type { AddressIndexHead, AddressIndexStore } from '@tetrad/node-store';
import { ZERO_HASH, type Block, type Counter, type Gauge, type Logger, type Metrics } from '@tetrad/types';
import type { IndexedEntry } from './block-entries.js';
import { collectBlock, type CollectingParts } from './collect-block.js';
import { OpenRows } from './open-rows.js';
import { pauseAfter } from './pause-after.js';
import { WakeUps } from './wake-ups.js';

export interface AddressIndexingOptions extends CollectingParts {
  readonly ledger: CollectingParts['ledger'] &
    Pick<Ledger, 'findBlock' | 'blockHorizon' | 'head' | 'onBlock'>;
  readonly store: AddressIndexStore;
  /** Waits a bounded time until private state has followed the block; undefined on a node without private state. */
  readonly privateState: { reaches(blockNumber: number): Promise<boolean> } | undefined;
  /** Whether blocks are being imported, which go first: nine tenths of the time are theirs. */
  readonly isImporting: () => boolean;
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A batch ends with the first of these. */
const BATCH = { blocks: 256, entries: 20_000, ms: 500 };
/** What stopped the index may pass without a block: private state that is late, a database that was away. */
const RETRY_MS = 1_000;
const HASH_KEY_BYTES = 16;

interface Batch {
  readonly head: AddressIndexHead;
  readonly entries: readonly IndexedEntry[];
}

/**
 * Fills the index by address behind the chain, in batches. Rows and progress of a batch are stored in one transaction, so that
 * a process that ends at any time continues where it was.
 */
export class AddressIndexing {
  private readonly running: Promise<void>;
  private readonly calls = new WakeUps();
  private readonly ending = new AbortController();
  private readonly unsubscribe: () => void;
  private readonly waiting = new Set<() => void>();
  private readonly rows: OpenRows;
  private readonly block: Gauge;
  private readonly written: Counter;

  private constructor(
    private readonly options: AddressIndexingOptions,
    private stored: AddressIndexHead,
  ) {
    const { metrics, store } = options;
    this.rows = new OpenRows((scope, keys) => store.findNewest(scope, keys));
    this.block = metrics.gauge('node_address_index_block', 'The last block in the index by address');
    this.written = metrics.counter(
      'node_address_index_entries_total',
      'Transactions of addresses that were written to the index by address',
    );
    this.block.set(stored.blockNumber);
    this.unsubscribe = options.ledger.onBlock(() => this.calls.wake());
    this.running = this.run();
  }

  /** Continues the stored index, or begins one that is empty or that belongs to another chain. */
  static async start(options: AddressIndexingOptions): Promise<AddressIndexing> {
    const { ledger, logger, store } = options;
    let head = await store.findHead();
    const isOfOthers = head && (await ledger.findBlock(head.blockNumber))?.hash !== head.blockHash;
    if (head !== undefined && isOfOthers) {
      const block = head.blockNumber;
      logger.warn('the index by address is of other blocks, and is made again', { block });
      head = undefined;
    }
    const hashKey = randomBytes(HASH_KEY_BYTES);
    return new AddressIndexing(
      options,
      head ?? { hashKey, blockNumber: -1, blockHash: ZERO_HASH, callsFrom: 0 },
    );
  }

  /** How far the index is; its number is -1 before the first block. */
  get head(): AddressIndexHead {
    return this.stored;
  }

  /** Whether the block is in the index, or is within the time. */
  async reaches(blockNumber: number, waitMs: number): Promise<boolean> {
    const until = performance.now() + waitMs;
    while (this.stored.blockNumber < blockNumber && !this.ending.signal.aborted) {
      const left = until - performance.now();
      if (left <= 0) return false;
      await new Promise<void>((done) => {
        const timer = setTimeout(end, left);
        const { waiting } = this;
        function end() {
          clearTimeout(timer);
          waiting.delete(end);
          done();
        }
        waiting.add(end);
      });
    }
    return this.stored.blockNumber >= blockNumber;
  }

  /** Ends after the block that is looked at. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.ending.abort();
    this.calls.wake();
    for (const done of [...this.waiting]) done();
    await this.running;
  }

  /** Until it is closed: as far as it comes, then again with the next block, or after a while if the head is not reached. */
  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      this.calls.begin();
      await this.advanceAll();
      const isBehind = this.stored.blockNumber < this.options.ledger.head().header.number;
      await this.calls.next(isBehind ? RETRY_MS : undefined);
    }
  }

  private async advanceAll(): Promise<void> {
    try {
      // There may be rows without a head: of a former version, or where that has removed the head.
      if (this.stored.blockNumber < 0) await this.options.store.clear();
      while (!this.ending.signal.aborted && (await this.advance()));
    } catch (error) {
      if (this.ending.signal.aborted) return;
      this.rows.clear();
      if (!this.options.isDatabaseUnavailable(error))
        this.options.logger.error('the index by address does not go on', { error });
    }
  }

  /** @returns whether there may be more to do before the next block */
  private async advance(): Promise<boolean> {
    const began = performance.now();
    const batch = await this.collect(began);
    if (batch === undefined) return false;
    const changes = await this.rows.add(batch.entries);
    await this.options.store.write(batch.head, changes);
    this.rows.settle();
    this.stored = batch.head;
    this.block.set(batch.head.blockNumber);
    this.written.increment(undefined, batch.entries.length);
    for (const done of [...this.waiting]) done();
    const pausing = pauseAfter(performance.now() - began, this.options.isImporting());
    await pause(pausing, undefined, { signal: this.ending.signal }).catch(() => undefined);
    return true;
  }

  private async collect(began: number): Promise<Batch | undefined> {
    const { ledger } = this.options;
    const entries: IndexedEntry[] = [];
    let { stored: head } = this;
    let blocks = 0;
    while (blocks < BATCH.blocks && entries.length < BATCH.entries && performance.now() - began < BATCH.ms) {
      if (this.ending.signal.aborted || head.blockNumber >= ledger.head().header.number) break;
      const block = await this.findNext(head.blockNumber + 1);
      if (block === undefined) break;
      const { signal } = this.ending;
      const admission = { signal, onLong: () => Promise.resolve() };
      const { hashKey } = head;
      const collected = await collectBlock(this.options, block, { hashKey, admission });
      entries.push(...collected.entries);
      const { number } = block.header;
      const callsFrom = collected.hasCalls ? head.callsFrom : number + 1;
      head = { hashKey, blockNumber: number, blockHash: block.hash, callsFrom };
      blocks += 1;
    }
    return blocks === 0 ? undefined : { head, entries };
  }

  /** Undefined while private state is behind the block, or the past is not filled in. */
  private async findNext(number: number): Promise<Block | undefined> {
    const { ledger, privateState, receipts } = this.options;
    if (ledger.blockHorizon.isHeaderOnly(number)) return undefined;
    const block = await ledger.findBlock(number);
    if (block === undefined || privateState === undefined || !receipts.hasPrivateWork(block)) return block;
    return (await privateState.reaches(number)) ? block : undefined;
  }
}
