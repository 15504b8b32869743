import { InvalidBlockError, decodeHeader } from '@tetrad/node-block';
import { pause, type BlockHeader, type Clock, type Hash, type SealedHeader } from '@tetrad/types';
import { SourceError } from './source-error.js';
import type { SourcePool } from './source-pool.js';
import { TargetLostError } from './target-lost-error.js';
import type { VerifiedSource } from './verified-source.js';

/** A block that is known before its header is. */
export interface NamedBlock {
  readonly number: number;
  readonly hash: Hash;
}

export interface LinkedHeadersOptions {
  readonly hashOf: (header: BlockHeader) => Hash;
  /** The block to which headers lead, as errors name it. */
  readonly what: string;
  readonly pool: SourcePool;
  readonly clock: Clock;
}

/** Headers that are followed down together: less than an answer may have, by number and bytes. */
const SPAN = 512;
/** Pause before peers are asked again, when no peer had the headers. */
const AGAIN_MS = 1_000;

/**
 * Headers that lead to a known block: each names the hash of the one before. They are followed down from it, of which only the hash of
 * the last header of each span is kept, and taken upwards then.
 *
 * Cost: each header is asked for twice; some 100 bytes of memory for 512 headers
 */
export class LinkedHeaders {
  /** Hashes of the last headers of spans, by number. */
  private ends = new Map<number, Hash>();
  /** Their numbers, ascending. */
  private order: readonly number[] = [];

  constructor(private readonly options: LinkedHeadersOptions) {}

  /**
   * Follows headers down from a known block to one at or below which nothing is wanted.
   * @returns the block at the floor that they lead to
   */
  async gather(known: NamedBlock, floor: number): Promise<NamedBlock> {
    this.ends = new Map();
    let below = known;
    while (below.number > floor) {
      this.ends.set(below.number, below.hash);
      below = await this.descend(below, Math.max(floor, below.number - SPAN));
    }
    this.order = [...this.ends.keys()].reverse();
    return below;
  }

  /** How many headers after the number end a span; 0 when none do. */
  spanAfter(number: number): number {
    const end = this.order.find((one) => one > number);
    return end === undefined ? 0 : end - number;
  }

  /** @throws InvalidBlockError when the last header of a span is not the one that leads to the block; SourceError when no span ends with it */
  assertEnd({ header, hash }: SealedHeader): void {
    const end = this.ends.get(header.number);
    if (end === undefined) throw new SourceError('missing', `the peer has no headers after ${header.number}`);
    if (end !== hash) throw this.astray(header.number);
  }

  /**
   * Follows headers down from a known block.
   * @param floor - where to end, or above it
   * @returns the block below those that were followed
   */
  async descend(known: NamedBlock, floor: number): Promise<NamedBlock> {
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

  private async follow(source: VerifiedSource, known: NamedBlock, floor: number): Promise<NamedBlock> {
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
  private below(raws: readonly Uint8Array[], known: NamedBlock): NamedBlock {
    return [...raws].reverse().reduce<NamedBlock>(({ number, hash }, raw) => {
      const header = decodeHeader(raw);
      if (header.number !== number || this.options.hashOf(header) !== hash) throw this.astray(number);
      return { number: number - 1, hash: header.parentHash };
    }, known);
  }

  private astray(number: number): InvalidBlockError {
    return new InvalidBlockError(`header ${number} is not the one that ${this.options.what} leads to`);
  }
}
