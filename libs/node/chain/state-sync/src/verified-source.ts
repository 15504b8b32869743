import { keccak256 } from '@tetrad/crypto';
import { InvalidBlockError } from '@tetrad/node-block';
import {
  RangeProofError,
  verifyRange,
  type HashedNode,
  type RangeQuestion,
  type StateWitness,
  type TrieRange,
  type VerifiedRange,
} from '@tetrad/node-execution';
import {
  MAX_RANGE_ENTRIES,
  MAX_STATE_BUDGET,
  type ContentKind,
  type StateAnswers,
  type StateKind,
  type StatePeers,
  type StateQuestions,
  type StateSource,
  type WirePast,
} from '@tetrad/node-peer';
import { TimeSlices, type SealedHeader } from '@tetrad/types';
import { readPastBlock, type DecodeTransaction, type PastBlock } from './history/past-block.js';
import { SourceError } from './source-error.js';
import type { SourceTurn } from './source-turn.js';

/** Fewer entries, headers, contents or blocks of an answer that leaves some out are too few, where they are not large. */
const FEW_ENTRIES = 16;

/** Entries of a trie that were shown to be all from the origin of the question on. */
export interface ReceivedRange extends VerifiedRange, Pick<TrieRange, 'entries'> {
  readonly question: RangeQuestion;
}

/**
 * One peer, of whose answers nothing is taken that is not verified. A peer that is found to lie is penalized.
 *
 * Every method throws SourceError, and nothing else that a peer causes.
 */
export class VerifiedSource {
  /** Whether an answer had less than any peer needs to bound it: it is lawful, and no way to get on. */
  isStingy = false;

  constructor(
    private readonly peers: Pick<StatePeers, 'ask' | 'blame'>,
    readonly source: StateSource,
    /** Absent where no other work asks the peer. */
    private readonly turn?: SourceTurn,
  ) {}

  /**
   * Ranges of tries: at least that of the first question.
   * @param questions - at least one; of tries that have entries
   */
  async ranges(questions: readonly RangeQuestion[]): Promise<readonly ReceivedRange[]> {
    const answer = await this.ask('ranges', { questions, byteBudget: MAX_STATE_BUDGET });
    const received: ReceivedRange[] = [];
    for (const [index, range] of answer.entries()) {
      if (range === undefined) break;
      received.push(this.verify(questions[index] as RangeQuestion, range));
    }
    const [first] = received;
    if (first === undefined) throw new SourceError('missing', 'the peer does not have the trie');
    // Also where each of many tries has one entry, and one of them is given.
    const entries = received.reduce((sum, range) => sum + range.entries.length, 0);
    const isCut = received.length < questions.length || received.at(-1)?.hasMore === true;
    this.isStingy = isCut && entries < FEW_ENTRIES;
    return received;
  }

  /**
   * Contents by their hash: at least the first.
   * @param hashes - at least one
   */
  async contents(what: ContentKind, hashes: readonly Uint8Array[]): Promise<readonly HashedNode[]> {
    const answer = await this.ask('contents', { what, hashes, byteBudget: MAX_STATE_BUDGET });
    const received: HashedNode[] = [];
    for (const [index, bytes] of answer.entries()) {
      const hash = hashes[index] as Uint8Array;
      if (bytes === undefined) continue;
      if (Buffer.compare(keccak256(bytes), hash) !== 0) throw this.lied(`a ${what} with another hash`);
      received.push({ hash, encoded: Uint8Array.from(bytes) });
    }
    if (received.length === 0) throw new SourceError('missing', `the peer has no such ${what}`);
    // It may say that it lacks the others, or leave them out. Large codes fill an answer.
    const bytes = received.reduce((sum, { encoded }) => sum + encoded.length, 0);
    this.isStingy = isFew(received.length, hashes.length, bytes);
    return received;
  }

  /** Encoded headers from the number on, none when the peer has none; whether they are of the chain is not checked here. */
  async headers(from: number, limit: number): Promise<readonly Uint8Array[]> {
    const headers = await this.ask('headers', { from, limit, byteBudget: MAX_STATE_BUDGET });
    // One may be all that is asked for after a peer gave less than was asked for before.
    this.isStingy ||= headers.length < Math.min(limit, FEW_ENTRIES);
    return headers;
  }

  /** What is to show the validators that a contract names after a block: verified when they are read from it. */
  async validators(number: number): Promise<StateWitness> {
    const witness = await this.ask('validators', { number });
    if (witness === undefined)
      throw new SourceError('missing', `the peer does not show the validators after block ${number}`);
    return witness;
  }

  /**
   * What is in blocks: at least in the first.
   * @param headers - at least one, of consecutive blocks, the newest first
   */
  async past(headers: readonly SealedHeader[], decode: DecodeTransaction): Promise<readonly PastBlock[]> {
    const from = (headers[0] as SealedHeader).header.number;
    const answer = await this.ask('history', { from, limit: headers.length, byteBudget: MAX_STATE_BUDGET });
    const blocks: PastBlock[] = [];
    const slices = new TimeSlices();
    for (const [index, past] of answer.entries()) {
      if (past === undefined) break;
      blocks.push(await this.verifyPast(headers[index] as SealedHeader, past, decode));
      if (slices.isOver()) await slices.pause();
    }
    if (blocks.length === 0)
      throw new SourceError('missing', `the peer does not have the transactions of block ${from}`);
    const bytes = answer.reduce((sum, past) => sum + (past === undefined ? 0 : bytesOf(past)), 0);
    this.isStingy = isFew(blocks.length, headers.length, bytes);
    return blocks;
  }

  /**
   * The peer gave something false, as its caller found out.
   * @returns what the caller throws
   */
  lied(reason: string): SourceError {
    this.peers.blame(this.source, reason);
    return new SourceError('false', reason);
  }

  private async ask<Kind extends StateKind>(
    kind: Kind,
    question: StateQuestions[Kind],
  ): Promise<StateAnswers[Kind]> {
    await this.turn?.take();
    const outcome = await this.peers.ask(this.source, kind, question);
    await this.turn?.pass();
    if (outcome.kind === 'answered') return outcome.answer;
    throw new SourceError(outcome.kind === 'unusable' ? 'false' : 'unavailable', outcome.reason);
  }

  private async verifyPast(
    header: SealedHeader,
    past: WirePast,
    decode: DecodeTransaction,
  ): Promise<PastBlock> {
    try {
      return await readPastBlock(header, past, decode);
    } catch (error) {
      if (error instanceof InvalidBlockError) throw this.lied(error.message);
      throw error;
    }
  }

  private verify(question: RangeQuestion, range: TrieRange): ReceivedRange {
    try {
      const verified = verifyRange(question, range, MAX_RANGE_ENTRIES);
      return { ...verified, question, entries: range.entries };
    } catch (error) {
      if (error instanceof RangeProofError) throw this.lied(error.message);
      throw error;
    }
  }
}

/** Whether an answer has a few of many, which are not large. */
function isFew(given: number, asked: number, bytes: number): boolean {
  return given < Math.min(asked, FEW_ENTRIES) && bytes < MAX_STATE_BUDGET / 2;
}

function bytesOf({ transactions, receipts }: WirePast): number {
  return [...transactions, ...receipts].reduce((sum, { length }) => sum + length, 0);
}
