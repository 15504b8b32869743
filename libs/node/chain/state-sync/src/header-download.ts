import { InvalidBlockError, decodeHeader, encodeHeader } from '@tetrad/node-block';
import type { HeaderWrite, LedgerStore } from '@tetrad/node-store';
import { OperatorError, pause, type Clock, type Hash, type Logger, type SealedHeader } from '@tetrad/types';
import type { HeaderEvidence, JoinedChain, KnownHeader } from './header-evidence.js';
import { SourceError } from './source-error.js';
import type { SourcePool } from './source-pool.js';
import { TargetLostError } from './target-lost-error.js';
import type { VerifiedSource } from './verified-source.js';

/** A block that an operator has compared with other members. */
export interface Checkpoint {
  readonly number: number;
  readonly hash: Hash;
}

export interface HeaderDownloadOptions<Snapshot> {
  readonly chain: JoinedChain<Snapshot>;
  readonly evidence: HeaderEvidence<Snapshot>;
  readonly store: LedgerStore;
  readonly pool: SourcePool;
  readonly checkpoint: Checkpoint | undefined;
  readonly past?: PastToLeaveOut | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What decides about blocks of which only the headers are taken. */
export interface PastToLeaveOut {
  /**
   * Asked before verified headers are stored, with the last of them.
   * @returns false when a block up to it may have to be executed: the headers end before then
   */
  mayLeaveOut(block: NumberedHash): Promise<boolean>;
  /** Called once the headers are stored. */
  leftOut(block: NumberedHash): Promise<void>;
}

export interface NumberedHash {
  readonly number: number;
  readonly hash: Hash;
}

/** Pause before peers are asked again that gave no headers. */
const AGAIN_MS = 1_000;
/** Headers after which the log says how far it is. */
const REPORT_HEADERS = 50_000;

/** Downloads headers, verifies them, and stores them; goes on after the newest stored one. */
export class HeaderDownload<Snapshot> {
  private isHeld = false;

  constructor(private readonly options: HeaderDownloadOptions<Snapshot>) {}

  /** Whether there are later headers, whose blocks may have to be executed. */
  get isHeldBack(): boolean {
    return this.isHeld;
  }

  /**
   * The newest stored header.
   * @throws OperatorError when it contradicts the checkpoint
   */
  async stored(): Promise<KnownHeader<Snapshot>> {
    const { store, chain, checkpoint } = this.options;
    const number = (await store.stateSync.findNewestHeader()) ?? 0;
    const { ledger } = chain;
    if (number === 0) return { block: ledger.head(), snapshot: ledger.snapshot() };
    const row = await store.findBlockByNumber(number);
    if (row === undefined) throw new OperatorError(`the database lacks header ${number}`);
    const checked = checkpoint === undefined ? undefined : await store.findBlockByNumber(checkpoint.number);
    if (checked !== undefined && checked.hash !== checkpoint?.hash)
      throw new OperatorError(
        `--checkpoint: block ${checked.number} is ${checked.hash} in this database, whose headers were verified; ` +
          'compare the checkpoint with other members, and empty the database if it is right',
      );
    const snapshot = await chain.rules.findSnapshot(store, number);
    if (snapshot === undefined)
      throw new OperatorError(`the database lacks the validators after block ${number}`);
    return { block: { hash: row.hash, header: decodeHeader(row.header) }, snapshot };
  }

  /**
   * Downloads all headers but the newest one, whose block is left to be executed, and those whose blocks may not be left out.
   * @returns the newest of them, with the validators as they are
   */
  async run(): Promise<KnownHeader<Snapshot>> {
    let last = await this.stored();
    const newest = await this.options.evidence.gather(last);
    for (;;) {
      const headers = await this.next(last, newest);
      const next = headers?.at(-1);
      if (headers === undefined || next === undefined || (await this.holdsBack(next))) break;
      await this.write(headers, last);
      await this.options.past?.leftOut(numbered(next));
      this.report(last, next);
      last = next;
    }
    return this.settled(last);
  }

  private async holdsBack(last: KnownHeader<Snapshot>): Promise<boolean> {
    this.isHeld = (await this.options.past?.mayLeaveOut(numbered(last))) === false;
    return this.isHeld;
  }

  /**
   * Undefined when there are no more to take.
   * @param newest - undefined where the peers decide
   */
  private async next(
    last: KnownHeader<Snapshot>,
    newest: number | undefined,
  ): Promise<readonly KnownHeader<Snapshot>[] | undefined> {
    const { pool, clock } = this.options;
    const after = last.block.header.number;
    if (newest !== undefined && after >= newest) return undefined;
    for (;;) {
      const heads = pool.believed().flatMap(({ head }) => (head === undefined ? [] : [head.number]));
      if (heads.length > 0 && Math.max(...heads) <= after + 1) return undefined;
      try {
        return await pool.runIfThere(after + 2, (source) => this.ask(source, last));
      } catch (error) {
        if (!(error instanceof TargetLostError)) throw error;
        // They claim a head that they do not show.
        if (after > 0) return undefined;
        await pause(clock, AGAIN_MS);
      }
    }
  }

  private async ask(
    source: VerifiedSource,
    last: KnownHeader<Snapshot>,
  ): Promise<readonly KnownHeader<Snapshot>[]> {
    const from = last.block.header.number + 1;
    const newest = source.source.head?.number ?? from;
    const span = this.options.evidence.spanAfter(last.block.header.number);
    const raws = await source.headers(from, Math.min(span, newest - from));
    if (raws.length === 0) throw new SourceError('missing', `the peer has no header ${from}`);
    return this.blaming(source, async (evidence) => {
      const headers = raws.map((raw) => this.decode(raw));
      const known = await evidence.verify(headers, last, source);
      this.assertCheckpoint(headers);
      return known;
    });
  }

  /** With the validators as the state after the header shows them. */
  private async settled(last: KnownHeader<Snapshot>): Promise<KnownHeader<Snapshot>> {
    const { number } = last.block.header;
    if (number === 0) return last;
    const settled = await this.options.pool.run(number, (source) =>
      this.blaming(source, (evidence) => evidence.settle(last, source)),
    );
    const { rules } = this.options.chain;
    if (!rules.isSameSnapshot(last.snapshot, settled.snapshot))
      await this.options.store.stateSync.correctSet(
        number,
        rules.snapshotRows(last.snapshot, settled.snapshot),
      );
    return settled;
  }

  /** @throws SourceError when the peer gave headers or a witness that break a rule */
  private async blaming<T>(
    source: VerifiedSource,
    work: (evidence: HeaderEvidence<Snapshot>) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(this.options.evidence);
    } catch (error) {
      if (error instanceof InvalidBlockError) throw source.lied(error.message);
      throw error;
    }
  }

  private decode(raw: Uint8Array): SealedHeader {
    const header = decodeHeader(raw);
    return { header, hash: this.options.chain.rules.hashHeader(header) };
  }

  /** @throws InvalidBlockError */
  private assertCheckpoint(headers: readonly SealedHeader[]): void {
    const { checkpoint } = this.options;
    const found = headers.find(({ header }) => header.number === checkpoint?.number);
    if (found !== undefined && found.hash !== checkpoint?.hash)
      throw new InvalidBlockError(`block ${found.header.number} is not the one of the checkpoint`);
  }

  private async write(
    headers: readonly KnownHeader<Snapshot>[],
    after: KnownHeader<Snapshot>,
  ): Promise<void> {
    const { chain, store } = this.options;
    let { snapshot } = after;
    const writes = headers.map(({ block, snapshot: next }): HeaderWrite => {
      const { number, stateRoot, timestamp } = block.header;
      const joined = chain.rules.snapshotRows(snapshot, next);
      snapshot = next;
      const row = { number, hash: block.hash, stateRoot, timestamp, totalTransactions: 0 };
      return { block: { ...row, header: encodeHeader(block.header) }, joined };
    });
    await store.stateSync.appendHeaders(writes);
  }

  private report(last: KnownHeader<Snapshot>, next: KnownHeader<Snapshot>): void {
    const [from, to] = [last.block.header.number, next.block.header.number];
    if (Math.floor(from / REPORT_HEADERS) === Math.floor(to / REPORT_HEADERS)) return;
    this.options.logger.info('headers are verified', { block: to });
  }
}

function numbered({ block }: KnownHeader<unknown>): NumberedHash {
  return { number: block.header.number, hash: block.hash };
}
