import type { RollupCodec } from './contract/rollup-contract.js';
import { OperatorError, type Address, type Hash } from '@tetrad/types';
import { readEvents, type PlacedEvent } from './contract-events.js';
import { ChainRpcError, ChainUnavailableError, type EthereumClient } from './ethereum-client.js';
import { PAGE_BLOCKS, PAGE_LOGS } from './params.js';
import { nextPageBlocks, nextRange, type BlockRange, type ChainCursor } from './page-rule.js';

/** Events of consecutive blocks, and where the follower stands with them. */
export interface ChainPage {
  readonly cursor: ChainCursor;
  readonly events: readonly PlacedEvent[];
  /** Number of the newest block when the page was read. */
  readonly head: number;
}

/** Where pages are kept. */
export interface PageStore {
  /** The last blocks that were read, highest first: the first one is the cursor, the others say where a chain forked. */
  blocks(): Promise<readonly ChainCursor[]>;
  /** Stores what a page says and moves the cursor behind it; a page may come twice. */
  storePage(page: ChainPage): Promise<void>;
  /**
   * Takes back all that is known of blocks above a number.
   * @throws DeepReorganisationError when it is acted on for good
   */
  rewind(toNumber: number): Promise<void>;
}

/** Blocks that had all the successors they needed were replaced, and with them events that are acted on for good. */
export class DeepReorganisationError extends OperatorError {
  override readonly name = 'DeepReorganisationError';
}

export interface FollowerOptions {
  readonly contract: Address;
  /** Block in which the contract was created, or any before it. */
  readonly firstBlock: number;
  readonly confirmations: number;
}

/**
 * Reads what the contract says, in pages of blocks that have enough successors, and hands each page on once. Whatever
 * happens between two pages, the next one begins where the stored cursor is.
 */
export class ContractFollower {
  private pageBlocks = PAGE_BLOCKS;

  constructor(
    private readonly client: EthereumClient,
    private readonly codec: RollupCodec,
    private readonly store: PageStore,
    private readonly options: FollowerOptions,
  ) {}

  /**
   * Reads and stores at most one page.
   * @returns whether more is there
   * @throws ChainUnavailableError; DeepReorganisationError
   */
  async step(): Promise<boolean> {
    const blocks = await this.store.blocks();
    const [cursor] = blocks;
    const head = await this.client.head();
    if (cursor !== undefined && !(await this.isOnChain(cursor, head.number)))
      return this.goBack(blocks.slice(1));
    const range = nextRange(cursor?.number ?? this.options.firstBlock - 1, head.number, {
      confirmations: this.options.confirmations,
      pageBlocks: this.pageBlocks,
    });
    if (range === undefined) return false;
    const page = await this.read(range);
    if (page === undefined) return true;
    await this.store.storePage({ ...page, head: head.number });
    return true;
  }

  /** A client that lags behind the previous one is not a reorganisation: the follower waits for it. */
  private async isOnChain(cursor: ChainCursor, head: number): Promise<boolean> {
    if (head < cursor.number)
      throw new ChainUnavailableError(`the Ethereum client is at block ${head}, before ${cursor.number}`);
    return (await this.hashOf(cursor.number)) === cursor.hash;
  }

  /** Goes back to the last block that is still there, and reads from there again. */
  private async goBack(earlier: readonly ChainCursor[]): Promise<boolean> {
    const fork = await this.forkOf(earlier);
    await this.store.rewind(fork?.number ?? this.options.firstBlock - 1);
    return true;
  }

  private async forkOf(blocks: readonly ChainCursor[]): Promise<ChainCursor | undefined> {
    for (const block of blocks) {
      if ((await this.hashOf(block.number)) === block.hash) return block;
    }
    return undefined;
  }

  /** @returns undefined when the client refused a page of that size, which is halved for the next time */
  private async read(range: BlockRange): Promise<Pick<ChainPage, 'cursor' | 'events'> | undefined> {
    const { contract: address } = this.options;
    const hash = await this.hashOf(range.to);
    try {
      const logs = await this.client.logs(address, range);
      if (logs.length > PAGE_LOGS && range.to > range.from) return this.halve();
      // The events are of the chain with that block only if the block is still there after reading.
      if ((await this.hashOf(range.to)) !== hash) return undefined;
      this.pageBlocks = nextPageBlocks(this.pageBlocks, true, PAGE_BLOCKS);
      const events = readEvents(this.codec, logs, { address, range });
      return { cursor: { number: range.to, hash }, events };
    } catch (error) {
      const tooLarge = error instanceof ChainRpcError || error instanceof ChainUnavailableError;
      if (tooLarge && range.to > range.from) return this.halve();
      throw error;
    }
  }

  private halve(): undefined {
    this.pageBlocks = nextPageBlocks(this.pageBlocks, false, PAGE_BLOCKS);
    return undefined;
  }

  private async hashOf(number: number): Promise<Hash> {
    const block = await this.client.block(number);
    if (block === undefined)
      throw new ChainUnavailableError(`the Ethereum client has no block ${number} any more`);
    return block.hash;
  }
}
