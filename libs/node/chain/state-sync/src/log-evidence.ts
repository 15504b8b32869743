import { InvalidBlockError, decodeHeader } from '@tetrad/node-block';
import { OperatorError, pause, type Clock, type Hash, type SealedHeader } from '@tetrad/types';
import type { HeaderEvidence, JoinedChain, KnownHeader } from './header-evidence.js';
import { SourceError } from './source-error.js';
import type { SourcePool } from './source-pool.js';
import { TargetLostError } from './target-lost-error.js';
import type { VerifiedSource } from './verified-source.js';

/** A block of the log. */
export interface LoggedBlock {
  readonly number: number;
  readonly hash: Hash;
}

export interface LogEvidenceOptions<Snapshot> {
  readonly chain: JoinedChain<Snapshot>;
  /** The newest block of the log; undefined while there is no log. */
  readonly newest: () => Promise<LoggedBlock | undefined>;
  readonly pool: SourcePool;
  readonly clock: Clock;
}

/** Headers that are followed down together: less than an answer may have, by number and bytes. */
const SPAN = 512;
/** Pause before peers are asked again, when no peer had the headers. */
const AGAIN_MS = 1_000;

/**
 * A log orders the blocks, and names the newest one. Each header names the hash of the one before, so the log decides about all of
 * them: they are followed down from it first, of which only the hash of the last header of each span is kept, and taken upwards then.
 *
 * Cost: each header is asked for twice; some 100 bytes of memory for 512 headers
 */
export class LogEvidence<Snapshot> implements HeaderEvidence<Snapshot> {
  /** Hashes of the last headers of spans, by number. */
  private ends = new Map<number, Hash>();
  /** Their numbers, ascending. */
  private order: readonly number[] = [];

  constructor(private readonly options: LogEvidenceOptions<Snapshot>) {}

  /** @throws OperatorError when the headers in the database are not those of the log */
  async gather({ block }: KnownHeader<Snapshot>): Promise<number> {
    const newest = await this.options.newest();
    const { number } = block.header;
    // The newest block is left to be executed.
    if (newest === undefined || newest.number <= number + 1) return number;
    this.ends = new Map();
    let below = await this.descend(newest, newest.number - 1);
    while (below.number > number) {
      this.ends.set(below.number, below.hash);
      below = await this.descend(below, Math.max(number, below.number - SPAN));
    }
    this.order = [...this.ends.keys()].reverse();
    if (below.hash === block.hash) return newest.number - 1;
    throw new OperatorError(
      `block ${number} of this database is not the one that the log in etcd leads to; begin with an empty database`,
    );
  }

  spanAfter(number: number): number {
    const end = this.order.find((one) => one > number);
    return end === undefined ? 0 : end - number;
  }

  /** @throws InvalidBlockError when they do not lead to the end of their span; SourceError when there are less */
  async verify(
    headers: readonly SealedHeader[],
    after: KnownHeader<Snapshot>,
  ): Promise<KnownHeader<Snapshot>[]> {
    const { ledger, rules } = this.options.chain;
    const known: KnownHeader<Snapshot>[] = [];
    let last = after;
    for (const block of headers) {
      ledger.checkHeader(block, last.block, last.snapshot);
      const snapshot = rules.foreseeSnapshot(last.snapshot, block.header) ?? last.snapshot;
      last = { block, snapshot };
      known.push(last);
    }
    const { number } = last.block.header;
    const end = this.ends.get(number);
    if (end === undefined) throw new SourceError('missing', `the peer has no headers after ${number}`);
    if (end !== last.block.hash) throw astray(number);
    return known;
  }

  async settle(last: KnownHeader<Snapshot>): Promise<KnownHeader<Snapshot>> {
    return last;
  }

  /**
   * Follows headers down from a known block.
   * @param floor - where to end, or above it
   * @returns the block below those that were followed
   */
  private async descend(known: LoggedBlock, floor: number): Promise<LoggedBlock> {
    const { pool, clock } = this.options;
    for (;;) {
      try {
        return await pool.run(known.number, (source) => this.follow(source, known, floor));
      } catch (error) {
        if (!(error instanceof TargetLostError)) throw error;
        await pause(clock, AGAIN_MS);
      }
    }
  }

  private async follow(source: VerifiedSource, known: LoggedBlock, floor: number): Promise<LoggedBlock> {
    for (let span = known.number - floor; span > 0; span = Math.floor(span / 2)) {
      const raws = await source.headers(known.number - span + 1, span);
      if (raws.length < span) continue;
      try {
        return this.below(raws.slice(0, span), known);
      } catch (error) {
        if (error instanceof InvalidBlockError) throw source.lied(error.message);
        throw error;
      }
    }
    throw new SourceError('missing', `the peer has no header ${known.number}`);
  }

  /** @throws InvalidBlockError when the headers do not end with the known one, each naming the one before */
  private below(raws: readonly Uint8Array[], known: LoggedBlock): LoggedBlock {
    return [...raws].reverse().reduce<LoggedBlock>(({ number, hash }, raw) => {
      const header = decodeHeader(raw);
      const isIt = header.number === number && this.options.chain.rules.hashHeader(header) === hash;
      if (!isIt) throw astray(number);
      return { number: number - 1, hash: header.parentHash };
    }, known);
  }
}

function astray(number: number): InvalidBlockError {
  return new InvalidBlockError(`header ${number} is not the one that the newest block of the log leads to`);
}
