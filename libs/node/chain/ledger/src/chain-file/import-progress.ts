import type { ImportCounts } from './import-chain-files.js';

/** A report on a running import. */
export interface ImportReport {
  readonly block: number;
  /** Of all the files on the disk, as far as their blocks are executed or compared. Units: percent */
  readonly read: number;
  readonly blocksPerSecond: number;
  readonly transactionsPerSecond: number;
  /** By the bytes that are left; undefined until it can be estimated. Units: seconds */
  readonly secondsLeft: number | undefined;
}

interface Measurement {
  readonly ms: number;
  readonly bytes: number;
  readonly counts: ImportCounts;
}

/** The speed of an import: since the last report, and over all of it for the time that is left. */
export class ImportProgress {
  /** Where the speed for the time that is left is measured from: after the blocks that are stored already. */
  private start: Measurement;
  private last: Measurement;

  /** @param totalBytes - of all files; times are in ms */
  constructor(
    private readonly totalBytes: number,
    start: { readonly ms: number; readonly counts: ImportCounts },
  ) {
    this.start = { ...start, bytes: 0 };
    this.last = this.start;
  }

  report(now: Measurement): ImportReport {
    const { last } = this;
    this.last = now;
    const seconds = Math.max(now.ms - last.ms, 1) / 1000;
    const blocks = now.counts.imported + now.counts.known - last.counts.imported - last.counts.known;
    const { start } = this;
    const [elapsed, done] = [(now.ms - start.ms) / 1000, now.bytes - start.bytes];
    const bytesLeft = Math.max(this.totalBytes - now.bytes, 0);
    if (now.counts.imported === 0 && now.counts.known > 0) this.start = now;
    return {
      block: now.counts.blockNumber,
      read: Math.floor((100 * now.bytes) / Math.max(this.totalBytes, 1)),
      blocksPerSecond: Math.round(blocks / seconds),
      transactionsPerSecond: Math.round((now.counts.transactions - last.counts.transactions) / seconds),
      secondsLeft: done <= 0 ? undefined : Math.ceil((elapsed / done) * bytesLeft),
    };
  }
}
