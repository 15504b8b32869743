import { TetradError, pause, type Block, type Clock, type Hash, type SealedHeader } from '@tetrad/types';
import { type PeerLimits, movingMs } from '../limits.js';
import type { AnswerLimits } from '../network/messenger.js';
import type { Peer } from '../peers/peer.js';
import type { ChainPort } from '../ports.js';
import type { ExchangeOutcome } from '../transport/exchange.js';
import { decodeItems, type PeerRequest } from '../wire/request-message.js';
import type { Penalty } from '../peers/peer-score.js';

/** Why blocks are no longer taken from a peer. */
export class SyncFault extends TetradError {
  override readonly name = 'SyncFault';
  override readonly code = 'SYNC_FAULT';

  /** @param penalty - for what it did wrong; undefined when another peer is merely better */
  constructor(
    readonly penalty: Penalty | undefined,
    message: string,
  ) {
    super(message);
  }
}

/** Pause after a busy answer of a peer, and how often it is repeated. */
const BUSY_MS = 200;
const BUSY_TIMES = 25;
/** Part of the time for a whole range that an answer may take, however little is in it. */
const LEAST_SHARE = 0.1;

export interface BlockDownloadOptions {
  readonly chain: ChainPort;
  readonly limits: PeerLimits;
  readonly clock: Clock;
  readonly request: (peer: Peer, request: PeerRequest, limits: AnswerLimits) => Promise<ExchangeOutcome>;
  /** Whether another peer may have them sooner, so that a slow one need not be waited for. */
  readonly hasOther: (peer: Peer) => boolean;
}

/** Downloads ranges of blocks from a peer and checks them as far as possible without execution. */
export class BlockDownload {
  constructor(private readonly options: BlockDownloadOptions) {}

  /**
   * Ranges from after the block on, up to the peer's head.
   * @throws SyncFault
   */
  async *ranges(source: Peer, after: SealedHeader): AsyncGenerator<readonly Block[]> {
    let parent = after;
    while (source.head !== undefined && parent.header.number < source.head.number) {
      const blocks = await this.range(source, parent);
      yield blocks;
      parent = blocks.at(-1) ?? parent;
    }
  }

  /**
   * The block in the bytes.
   * @throws SyncFault
   */
  async decode(raw: Uint8Array): Promise<Block> {
    try {
      return await this.options.chain.decode(raw);
    } catch (error) {
      throw new SyncFault('invalid block', error instanceof Error ? error.message : 'not a block');
    }
  }

  /** @throws SyncFault when the headers break a rule */
  async verify(blocks: readonly Block[], parent: SealedHeader): Promise<void> {
    const broken = await this.options.chain.verifyHeaders(blocks, parent);
    if (broken !== undefined) throw new SyncFault('invalid block', broken);
  }

  private async range(source: Peer, parent: SealedHeader): Promise<readonly Block[]> {
    const claimed = source.head;
    const raws = await this.fetch(source, parent.header.number + 1);
    if (raws.length === 0) {
      // Its head is not trusted until it announces one again.
      source.head = undefined;
      throw new SyncFault('false head', `no block ${parent.header.number + 1}`);
    }
    const blocks: Block[] = [];
    for (const raw of raws) blocks.push(await this.decode(raw));
    this.assertLinked(blocks, parent);
    const last = blocks.find(({ header }) => header.number === claimed?.number);
    if (last !== undefined && last.hash !== claimed?.hash) {
      throw new SyncFault('false head', `block ${last.header.number} is not the one that was announced`);
    }
    await this.verify(blocks, parent);
    return blocks;
  }

  private assertLinked(blocks: readonly Block[], { hash, header }: SealedHeader): void {
    const broken = brokenLink(blocks, { number: header.number, hash });
    if (broken === undefined) return;
    const isOtherChain = broken === 'parent' && blocks[0]?.header.parentHash !== hash;
    throw new SyncFault(
      isOtherChain ? 'blocks of another chain' : 'unusable answer',
      `blocks after ${header.number} do not follow`,
    );
  }

  private async fetch(source: Peer, from: number): Promise<readonly Uint8Array[]> {
    const { limits, clock, request, hasOther } = this.options;
    const { syncBlocks, syncBytes, messageBytes, answerTimeoutMs } = limits;
    const quickMs = hasOther(source) ? answerTimeoutMs / 2 : undefined;
    const timeoutMs = quickMs ?? answerTimeoutMs + movingMs(limits, syncBytes);
    const startMs = clock.now();
    for (let times = 0; times < BUSY_TIMES && clock.now() - startMs <= timeoutMs; times++) {
      const outcome = await request(
        source,
        { kind: 'blocks', from, limit: syncBlocks, byteBudget: syncBytes },
        { timeoutMs, answerBytes: syncBytes + messageBytes },
      );
      if (outcome.kind === 'answered') {
        const raws = this.read(outcome.answer);
        const share = this.shareOf(raws, (source.head?.number ?? from) - from + 1);
        if (quickMs === undefined || clock.now() - startMs <= share * quickMs) return raws;
      }
      const isSlow = outcome.kind === 'answered' || (outcome.kind === 'late' && quickMs !== undefined);
      if (isSlow) throw new SyncFault(undefined, 'another peer may be faster');
      if (outcome.kind === 'late') throw new SyncFault('late answer', `blocks from ${from}`);
      if (outcome.kind !== 'busy') throw new SyncFault(undefined, 'the peer is gone');
      await pause(clock, BUSY_MS);
    }
    throw new SyncFault(undefined, 'the peer is busy');
  }

  /** Which part of what was asked for an answer contains, so that one block at a time does not pass for ranges. */
  private shareOf(raws: readonly Uint8Array[], claimed: number): number {
    const { syncBlocks, syncBytes } = this.options.limits;
    // What is wrong with none is for the caller to say.
    if (raws.length === 0) return 1;
    const bytes = raws.reduce((sum, { length }) => sum + length, 0);
    const part = Math.max(raws.length / Math.min(syncBlocks, claimed), bytes / syncBytes);
    return Math.min(1, Math.max(LEAST_SHARE, part));
  }

  private read(answer: Uint8Array): readonly Uint8Array[] {
    const { syncBlocks, syncBytes } = this.options.limits;
    try {
      const raws = decodeItems(answer, syncBlocks);
      const bytes = raws.slice(0, -1).reduce((sum, { length }) => sum + length, 0);
      if (bytes <= syncBytes) return raws;
    } catch {
      // Falls through to the one fault of answers.
    }
    throw new SyncFault('unusable answer', 'blocks');
  }
}

/** The rule of a chain that the blocks break: each follows the one before, the first follows the parent. */
export function brokenLink(
  blocks: readonly Block[],
  parent: { readonly number: number; readonly hash: Hash },
): 'number' | 'parent' | undefined {
  let before = parent;
  for (const { hash, header } of blocks) {
    if (header.number !== before.number + 1) return 'number';
    if (header.parentHash !== before.hash) return 'parent';
    before = { number: header.number, hash };
  }
  return undefined;
}
