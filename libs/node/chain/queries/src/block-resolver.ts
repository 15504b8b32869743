import type { BlockNumberOrTag, BlockReference } from '@tetrad/api-node';
import { UnknownStateRootError, type BlockContext, type WorldState } from '@tetrad/node-execution';
import { RequestError, type Address, type Block, type SealedHeader } from '@tetrad/types';
import type { BlockView, PendingView, PrivateView, StateView } from './chain-view.js';

/**
 * Resolves a block reference of a client to a block.
 *
 * `safe` and `finalized` are the head: a block is final once it is committed. `pending` has no header before it is
 * sealed, so reads of blocks return the head for it.
 */
export class BlockFinder {
  constructor(private readonly blocks: BlockView) {}

  find(reference: BlockReference): Promise<Block | undefined> {
    if (typeof reference === 'object') return this.blocks.findBlock(reference.blockHash);
    if (typeof reference === 'number') return this.blocks.findBlock(reference);
    return reference === 'earliest' ? this.blocks.findBlock(0) : Promise.resolve(this.blocks.head());
  }

  /** @throws RequestError BLOCK_NOT_FOUND, with geth's text where the method has no text of its own */
  async get(reference: BlockReference, notFound = 'header not found'): Promise<Block> {
    const block = await this.find(reference);
    if (block === undefined) throw new RequestError('BLOCK_NOT_FOUND', notFound);
    return block;
  }

  /** A height within the chain. */
  async numberOf(reference: BlockNumberOrTag): Promise<number> {
    if (typeof reference === 'number') return reference;
    return reference === 'earliest' ? 0 : this.blocks.head().header.number;
  }
}

/** Resolves a block reference of a client to a state; that of `pending` is the pool on top of the head. */
export class BlockResolver extends BlockFinder {
  constructor(
    private readonly parts: {
      readonly ledger: BlockView & StateView;
      readonly pending: PendingView;
      /** Undefined on a node without private state. */
      readonly privateState: PrivateView | undefined;
    },
  ) {
    super(parts.ledger);
  }

  /**
   * The state after the block, to read or to execute in.
   * @throws RequestError; `notFound` as in `get`
   */
  async world(reference: BlockReference = 'latest', notFound?: string): Promise<WorldState> {
    if (reference === 'pending') return (await this.parts.pending.open()).world;
    return this.worldAfter(await this.headerOf(reference, notFound));
  }

  /**
   * The state of the account after the block: the private one where that has the account.
   * @param options.wanted - whether code and storage are, or nonce and balance
   * @throws RequestError; `notFound` as in `get`
   */
  async worldOf(
    address: Address,
    reference: BlockReference = 'latest',
    { wanted = 'code', notFound }: { wanted?: Wanted; notFound?: string } = {},
  ): Promise<WorldState> {
    const { world, privateNumber } = await this.simulation(reference, notFound);
    return (await this.privateWorldOf(address, { world, privateNumber, wanted })) ?? world;
  }

  /**
   * The private state if that has the account.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  async privateWorldOf(
    address: Address,
    { world, privateNumber, wanted }: Pick<StateAtBlock, 'world' | 'privateNumber'> & { wanted: Wanted },
  ): Promise<WorldState | undefined> {
    const at = { blockNumber: privateNumber, publicWorld: world, wanted };
    return this.parts.privateState?.findWorld(address, at);
  }

  /**
   * The state after the block with the context in which a call on top of it runs.
   * @throws as `world`
   */
  async simulation(reference: BlockReference = 'latest', notFound?: string): Promise<StateAtBlock> {
    if (reference === 'pending') {
      const { world, block } = await this.parts.pending.open();
      // Private state has no pending part: it is that of the block below.
      return { world, block, privateNumber: block.number - 1 };
    }
    const block = await this.headerOf(reference, notFound);
    const context = this.parts.ledger.contextOf(block.header);
    return { world: await this.worldAfter(block), block: context, privateNumber: block.header.number };
  }

  /** As `get`; a state needs no more of its block, also where the rest is not here. */
  private async headerOf(reference: BlockReference, notFound?: string): Promise<SealedHeader> {
    const known = typeof reference === 'number' ? await this.parts.ledger.findHeader(reference) : undefined;
    return known ?? this.get(reference, notFound);
  }

  private async worldAfter(block: SealedHeader): Promise<WorldState> {
    try {
      return await this.parts.ledger.worldAt(block);
    } catch (error) {
      if (error instanceof UnknownStateRootError)
        throw new RequestError('STATE_NOT_AVAILABLE', error.message);
      throw error;
    }
  }
}

type Wanted = 'code' | 'balance';

/** A state with the context for calls on top of it. */
export interface StateAtBlock {
  readonly world: WorldState;
  readonly block: BlockContext;
  /** The block whose private state goes with it. */
  readonly privateNumber: number;
}
